// ALPI: blocking, events and spawned tasks.
#include <algorithm>

#include "abi/alpi/alpi.hpp"
#include "suspend/polling.hpp"
#include "suspend/spawned.hpp"
#include "suspend/suspension.hpp"
#include "tasking/detach.hpp"
#include "tasking/wait.hpp"
#include "team/team.hpp"

using namespace heddle;
using namespace heddle::alpi;

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

// Who asks for a name may block under it, whether or not it has asked for the version.
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

// For spawned tasks alone: the body of an OpenMP task has what its compiler gave it for one execution.
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
