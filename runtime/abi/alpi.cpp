// ALPI 1.2, the low-level tasking interface that the Task-Aware MPI library (TAMPI) asks of a runtime: its
// functions are looked up by name (dlsym) when MPI is initialised. docs/mpi/tampi.md says how to put it to
// work.
//
// Words: a task is named by the address of its ExternalState; the primary thread counts as one, and so does
// every thread that calls in here.

#include <algorithm>
#include <cstring>
#include <new>

#include "abi/export.hpp"
#include "suspend/polling.hpp"
#include "suspend/spawned.hpp"
#include "suspend/suspension.hpp"
#include "sys/machine.hpp"
#include "tasking/detach.hpp"
#include "tasking/wait.hpp"
#include "team/affinity.hpp"
#include "team/team.hpp"

namespace heddle::alpi {

constexpr int kMajor = 1;
constexpr int kMinor = 2;

enum Error : int {
  kSuccess = 0,
  kVersion = 1,
  kNotInitialized = 2,
  kParameter = 3,
  kOutOfMemory = 4,
  kOutsideTask = 5,
  kUnknown = 6,
  kFeatureUnknown = 7,
};

enum Info : int { kRuntimeName, kRuntimeVendor, kRuntimeVersion };

enum Feature : int { kBlocking = 1, kEvents = 2, kResources = 4, kSuspend = 8 };

enum SuspendMode : int { kNone, kSubmit, kTimeoutSubmit, kEventSubmit };

}  // namespace heddle::alpi

struct alpi_task;
struct alpi_attr;

using namespace heddle;
using namespace heddle::alpi;

// -- ALPI: errors, version, features

#define HEDDLE_TEXT_OF(number) #number
#define HEDDLE_TEXT(macro) HEDDLE_TEXT_OF(macro)

HEDDLE_EXPORT const char* alpi_error_string(int error) {
  switch (error) {
    case kSuccess:
      return "success";
    case kVersion:
      return "this version of ALPI is not provided";
    case kNotInitialized:
      return "the runtime is not initialised";
    case kParameter:
      return "an argument is not valid here";
    case kOutOfMemory:
      return "no memory is left";
    case kOutsideTask:
      return "the caller is in no task";
    case kFeatureUnknown:
      return "an unknown feature is asked for";
    default:
      return "unknown error";
  }
}

// A program that asks for the version is about to block tasks.
HEDDLE_EXPORT int alpi_version_check(int major, int minor) {
  if (major != kMajor || minor > kMinor) return kVersion;
  expect_suspension();
  return kSuccess;
}

HEDDLE_EXPORT int alpi_version_get(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return kParameter;
  *major = kMajor;
  *minor = kMinor;
  return kSuccess;
}

HEDDLE_EXPORT int alpi_feature_check(int features) {
  return (features & ~(kBlocking | kEvents | kResources | kSuspend)) == 0 ? kSuccess : kFeatureUnknown;
}

// *length: of the whole text, without the zero at its end. The text is cut to what the buffer holds.
HEDDLE_EXPORT int alpi_info_get(int query, char* buffer, std::size_t capacity, int* length) {
  const char* text;
  switch (query) {
    case kRuntimeName:
      text = "Heddle";
      break;
    case kRuntimeVendor:
      text = "the Heddle project";
      break;
    case kRuntimeVersion:
      text = HEDDLE_TEXT(HEDDLE_VERSION_NUMBER);
      break;
    default:
      return kParameter;
  }
  if (buffer == nullptr || capacity == 0) return kParameter;
  const std::size_t copied = std::min(std::strlen(text), capacity - 1);
  std::memcpy(buffer, text, copied);
  buffer[copied] = '\0';
  if (length != nullptr) *length = static_cast<int>(std::strlen(text));
  return kSuccess;
}

// -- ALPI: attributes of tasks to be spawned. Version 1.2 defines none, so an object holds nothing.

struct alpi_attr {
  std::uint64_t reserved = 0;
};

HEDDLE_EXPORT int alpi_attr_create(alpi_attr** attributes) {
  if (attributes == nullptr) return kParameter;
  *attributes = new (std::nothrow) alpi_attr;
  return *attributes != nullptr ? kSuccess : kOutOfMemory;
}

HEDDLE_EXPORT int alpi_attr_destroy(alpi_attr* attributes) {
  if (attributes == nullptr) return kParameter;
  delete attributes;
  return kSuccess;
}

/// In memory of the caller's, alpi_attr_size() bytes; not to be destroyed.
HEDDLE_EXPORT int alpi_attr_init(alpi_attr* attributes) {
  if (attributes == nullptr) return kParameter;
  new (attributes) alpi_attr;
  return kSuccess;
}

HEDDLE_EXPORT int alpi_attr_size(std::uint64_t* bytes) {
  if (bytes == nullptr) return kParameter;
  *bytes = sizeof(alpi_attr);
  return kSuccess;
}

// -- ALPI: logical processors. Each thread of the runtime is one: two that run never share a number.

HEDDLE_EXPORT int alpi_cpu_count(std::uint64_t* count) {
  if (count == nullptr) return kParameter;
  *count = static_cast<std::uint64_t>(processor_numbers());
  return kSuccess;
}

HEDDLE_EXPORT int alpi_cpu_logical_id(std::uint64_t* id) {
  if (id == nullptr) return kParameter;
  *id = static_cast<std::uint64_t>(processor_number());
  return kSuccess;
}

HEDDLE_EXPORT int alpi_cpu_system_id(std::uint64_t* id) {
  if (id == nullptr) return kParameter;
  *id = static_cast<std::uint64_t>(current_processor());
  return kSuccess;
}

// -- ALPI: blocking, events and spawned tasks

namespace {

alpi_task* handle_of(ExternalState& state) {
  return reinterpret_cast<alpi_task*>(&state);
}
ExternalState& state_of(alpi_task* task) {
  return *reinterpret_cast<ExternalState*>(task);
}

// The current task's, if it is `task`.
ExternalState* current_state(alpi_task* task) {
  ExternalState& state = external_state_of_current(this_member());
  return handle_of(state) == task ? &state : nullptr;
}

// Times beyond this, some 146 years, are as good as this.
constexpr std::uint64_t kLongestNs = INT64_MAX / 2;

}  // namespace

// A program that asks for a name may block under it, whether or not it has asked for the version.
HEDDLE_EXPORT int alpi_task_self(alpi_task** task) {
  if (task == nullptr) return kParameter;
  expect_suspension();
  *task = handle_of(external_state_of_current(this_member()));
  return kSuccess;
}

HEDDLE_EXPORT int alpi_task_block(alpi_task* task) {
  ExternalState* const state = current_state(task);
  if (state == nullptr) return kParameter;
  block_task(this_member(), *state);
  return kSuccess;
}

HEDDLE_EXPORT int alpi_task_unblock(alpi_task* task) {
  if (task == nullptr) return kParameter;
  return unblock_task(state_of(task)) ? kSuccess : kParameter;
}

HEDDLE_EXPORT int alpi_task_waitfor_ns(std::uint64_t target_ns, std::uint64_t* actual_ns) {
  Member& me = this_member();
  std::int64_t slept_ns = 0;
  // A spawned task that yields must be free to go on with any thread: this one may open a region meanwhile.
  if (target_ns == 0 && SpawnedTask::of(*me.context.task) == nullptr)
    taskyield(me);
  else
    slept_ns = sleep_task(me, static_cast<std::int64_t>(std::min(target_ns, kLongestNs)));
  if (actual_ns != nullptr) *actual_ns = static_cast<std::uint64_t>(slept_ns);
  return kSuccess;
}

HEDDLE_EXPORT int alpi_task_events_increase(alpi_task* task, std::uint64_t count) {
  ExternalState* const state = current_state(task);
  if (state == nullptr || !increase_events(this_member(), *state, count)) return kParameter;
  return kSuccess;
}

HEDDLE_EXPORT int alpi_task_events_decrease(alpi_task* task, std::uint64_t count) {
  if (task == nullptr) return kParameter;
  if (count != 0) decrease_events(state_of(task), count);
  return kSuccess;
}

HEDDLE_EXPORT int alpi_task_events_test(alpi_task* task, std::uint64_t* has_events) {
  if (task == nullptr || has_events == nullptr) return kParameter;
  *has_events = pending_events(state_of(task)) != 0 ? 1 : 0;
  return kSuccess;
}

HEDDLE_EXPORT int alpi_task_spawn(void (*body)(void*), void* argument, void (*completed)(void*),
                                  void* completed_argument, const char* label, const alpi_attr*) {
  if (body == nullptr || completed == nullptr) return kParameter;
  expect_suspension();
  spawn(this_member(), body, argument, completed, completed_argument, label);
  return kSuccess;
}

// For spawned tasks only: the body of an OpenMP task has what its compiler gave it for one execution.
HEDDLE_EXPORT int alpi_task_suspend_mode_set(alpi_task* task, int mode, std::uint64_t argument) {
  ExternalState* const state = current_state(task);
  if (state == nullptr || state->spawned == nullptr) return kParameter;
  SpawnedTask& spawned = *state->spawned;
  switch (mode) {
    case kNone:
      spawned.mode = SpawnedTask::Again::kOnUnblock;
      break;
    case kSubmit:
      spawned.mode = SpawnedTask::Again::kAtOnce;
      break;
    case kTimeoutSubmit:
      spawned.mode = SpawnedTask::Again::kAfter;
      break;
    case kEventSubmit:
      spawned.mode = SpawnedTask::Again::kWhenEventsCame;
      break;
    default:
      return kParameter;
  }
  spawned.mode_argument = std::min(argument, kLongestNs);
  return kSuccess;
}

HEDDLE_EXPORT int alpi_task_suspend(alpi_task* task) {
  ExternalState* const state = current_state(task);
  if (state == nullptr || state->spawned == nullptr) return kParameter;
  state->spawned->runs_again = true;
  return kSuccess;
}
