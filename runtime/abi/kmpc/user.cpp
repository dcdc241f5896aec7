// Routines of LLVM's omp.h that the standard lacks: stacks, how long to spin, defaults, warnings. Each does
// what its name says as far as this runtime has such a thing.

#include <algorithm>
#include <climits>
#include <string>

#include "abi/kmpc/kmpc.hpp"
#include "abi/omp/routines.hpp"
#include "base/relaxed_atomic.hpp"
#include "icv/icvs.hpp"
#include "icv/settings.hpp"
#include "icv/text.hpp"
#include "sys/affinity.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"
#include "sys/native_thread.hpp"
#include "team/wait.hpp"
#include "team/workers.hpp"

using namespace heddle;

namespace {

// What a program chose with kmp_set_library: turnaround is waiting actively, throughput as the environment
// says, serial one thread for the regions of the calling task.
enum Library : int { kSerial = 1, kTurnaround = 2, kThroughput = 3 };
RelaxedAtomic<int> g_library{0};

int library() {
  const int chosen = g_library.load();
  if (chosen != 0) return chosen;
  return settings().wait_policy == WaitPolicy::kActive ? kTurnaround : kThroughput;
}

void set_library(int wanted) {
  if (wanted < kSerial || wanted > kThroughput) {
    warn("kmp_set_library(%d): there are 1 serial, 2 turnaround, 3 throughput; ignored", wanted);
    return;
  }
  g_library.store(wanted);
  if (wanted == kSerial) omp_set_num_threads(1);
  if (wanted == kTurnaround) Backoff::set_spin_us(INT_MAX);
  if (wanted == kThroughput) Backoff::set_spin_us(-1);
}

std::size_t stack_bytes() {
  const std::size_t chosen = device_icvs().stack_bytes.load();
  return chosen != 0 ? chosen : default_stack_bytes();
}
void set_stack_bytes(std::size_t bytes) {
  device_icvs().stack_bytes.store(bytes);
}

void set_block_time(int ms) {
  Backoff::set_spin_us(ms > INT_MAX / 1000 ? INT_MAX : ms * 1000);
}

// "NAME=VALUE|NAME=VALUE": as if the environment had said so. Variables of LLVM's own runtime mean nothing
// here.
void set_defaults(const char* text) {
  for (const std::string_view piece : split(text, '|')) {
    const auto equals = piece.find('=');
    if (equals == std::string_view::npos || !piece.starts_with("OMP_")) continue;
    const std::string name(piece.substr(0, equals)), value(piece.substr(equals + 1));
    if (settings_are_read())
      warn("kmp_set_defaults: %s comes too late; call it before anything else of OpenMP", name.c_str());
    else
      set_environment(name.c_str(), value.c_str());
  }
}

}  // namespace

HEDDLE_EXPORT int kmp_get_stacksize() {
  return static_cast<int>(std::min<std::size_t>(stack_bytes(), INT_MAX));
}
HEDDLE_EXPORT std::size_t kmp_get_stacksize_s() {
  return stack_bytes();
}
HEDDLE_EXPORT int kmp_get_blocktime() {
  return Backoff::spin_us() / 1000;
}
HEDDLE_EXPORT int kmp_get_library() {
  return library();
}
HEDDLE_EXPORT void kmp_set_library_serial() {
  set_library(kSerial);
}
HEDDLE_EXPORT void kmp_set_library_turnaround() {
  set_library(kTurnaround);
}
HEDDLE_EXPORT void kmp_set_library_throughput() {
  set_library(kThroughput);
}

// Those that exist under two names. Any number of nowait loops may be under way: there are no buffers to set.
#define HEDDLE_USER_ROUTINES(prefix)                                 \
  HEDDLE_EXPORT void prefix##set_stacksize(int bytes) {              \
    if (bytes > 0) set_stack_bytes(static_cast<std::size_t>(bytes)); \
  }                                                                  \
  HEDDLE_EXPORT void prefix##set_stacksize_s(std::size_t bytes) {    \
    set_stack_bytes(bytes);                                          \
  }                                                                  \
  HEDDLE_EXPORT void prefix##set_blocktime(int ms) {                 \
    set_block_time(std::max(ms, 0));                                 \
  }                                                                  \
  HEDDLE_EXPORT void prefix##set_library(int wanted) {               \
    set_library(wanted);                                             \
  }                                                                  \
  HEDDLE_EXPORT void prefix##set_defaults(const char* text) {        \
    if (text != nullptr) set_defaults(text);                         \
  }                                                                  \
  HEDDLE_EXPORT void prefix##set_disp_num_buffers(int /*count*/) {}
HEDDLE_USER_ROUTINES(kmp_)
HEDDLE_USER_ROUTINES(kmpc_)

HEDDLE_EXPORT void kmp_set_warnings_on() {
  set_warnings(true);
}
HEDDLE_EXPORT void kmp_set_warnings_off() {
  set_warnings(false);
}

HEDDLE_EXPORT int kmp_get_num_known_threads() {
  return known_threads();
}
HEDDLE_EXPORT int kmp_get_cancellation_status(int /*construct*/) {
  return settings().is_cancellable;
}

// The routines of the standard as some of LLVM's headers for C call them.
HEDDLE_EXPORT void ompc_set_num_threads(int threads) {
  omp_set_num_threads(threads);
}
HEDDLE_EXPORT void ompc_set_dynamic(int is_dynamic) {
  omp_set_dynamic(is_dynamic);
}
HEDDLE_EXPORT void ompc_set_nested(int is_nested) {
  omp_set_nested(is_nested);
}
HEDDLE_EXPORT void ompc_set_max_active_levels(int levels) {
  omp_set_max_active_levels(levels);
}
HEDDLE_EXPORT void ompc_set_schedule(int kind, int chunk) {
  omp_set_schedule(kind, chunk);
}
HEDDLE_EXPORT int ompc_get_ancestor_thread_num(int level) {
  return omp_get_ancestor_thread_num(level);
}
HEDDLE_EXPORT int ompc_get_team_size(int level) {
  return omp_get_team_size(level);
}

// Numbers of tasks: their addresses, which differ among all tasks alive within 128 GiB.
namespace {
std::int32_t number_of(const Task* task) {
  return task != nullptr
             ? static_cast<std::int32_t>(reinterpret_cast<std::uintptr_t>(task) / alignof(Task) & INT32_MAX)
             : 0;
}
}  // namespace
HEDDLE_EXPORT std::int32_t __kmpc_get_taskid() {
  return number_of(this_member().context.task);
}
HEDDLE_EXPORT std::int32_t __kmpc_get_parent_taskid() {
  return number_of(this_member().context.task->parent);
}

HEDDLE_EXPORT std::int32_t __kmpc_pause_resource(std::int32_t kind) {
  return omp_pause_resource_all(kind);
}

// -- LLVM's own routines as its runtime names them for Fortran: with an underscore and by reference. flang
// calls the names of C; these are reached by programs that declare them themselves.

using Mask = void*;  // an opaque handle: abi/kmpc/user.cpp

// Defined in this file and in memory.cpp.
HEDDLE_EXPORT int kmp_get_stacksize();
HEDDLE_EXPORT std::size_t kmp_get_stacksize_s();
HEDDLE_EXPORT int kmp_get_blocktime();
HEDDLE_EXPORT int kmp_get_library();
HEDDLE_EXPORT int kmp_get_num_known_threads();
HEDDLE_EXPORT int kmp_get_cancellation_status(int construct);
HEDDLE_EXPORT void kmp_set_stacksize(int bytes);
HEDDLE_EXPORT void kmp_set_stacksize_s(std::size_t bytes);
HEDDLE_EXPORT void kmp_set_blocktime(int ms);
HEDDLE_EXPORT void kmp_set_library(int wanted);
HEDDLE_EXPORT void kmp_set_library_serial();
HEDDLE_EXPORT void kmp_set_library_turnaround();
HEDDLE_EXPORT void kmp_set_library_throughput();
HEDDLE_EXPORT void kmp_set_defaults(const char* text);
HEDDLE_EXPORT void kmp_set_disp_num_buffers(int count);
HEDDLE_EXPORT void kmp_set_warnings_on();
HEDDLE_EXPORT void kmp_set_warnings_off();
HEDDLE_EXPORT void kmp_create_affinity_mask(Mask* mask);
HEDDLE_EXPORT void kmp_destroy_affinity_mask(Mask* mask);
HEDDLE_EXPORT int kmp_get_affinity_max_proc();
HEDDLE_EXPORT int kmp_set_affinity(Mask* mask);
HEDDLE_EXPORT int kmp_get_affinity(Mask* mask);
HEDDLE_EXPORT int kmp_set_affinity_mask_proc(int number, Mask* mask);
HEDDLE_EXPORT int kmp_unset_affinity_mask_proc(int number, Mask* mask);
HEDDLE_EXPORT int kmp_get_affinity_mask_proc(int number, Mask* mask);
HEDDLE_EXPORT void* kmp_malloc(std::size_t bytes);
HEDDLE_EXPORT void* kmp_aligned_malloc(std::size_t bytes, std::size_t alignment);
HEDDLE_EXPORT void* kmp_calloc(std::size_t count, std::size_t bytes);
HEDDLE_EXPORT void* kmp_realloc(void* block, std::size_t bytes);
HEDDLE_EXPORT void kmp_free(void* block);

#define HEDDLE_PLAIN(type, name) \
  HEDDLE_EXPORT type name##_() { \
    return name();               \
  }
#define HEDDLE_OF_REFERENCE(type, name, Argument)        \
  HEDDLE_EXPORT type name##_(const Argument* argument) { \
    return name(*argument);                              \
  }
#define HEDDLE_OF_MASK(type, name)         \
  HEDDLE_EXPORT type name##_(Mask* mask) { \
    return name(mask);                     \
  }
#define HEDDLE_OF_NUMBER_AND_MASK(name)                      \
  HEDDLE_EXPORT int name##_(const int* number, Mask* mask) { \
    return name(*number, mask);                              \
  }

HEDDLE_PLAIN(int, kmp_get_stacksize)
HEDDLE_PLAIN(std::size_t, kmp_get_stacksize_s)
HEDDLE_PLAIN(int, kmp_get_blocktime)
HEDDLE_PLAIN(int, kmp_get_library)
HEDDLE_PLAIN(int, kmp_get_num_known_threads)
HEDDLE_PLAIN(int, kmp_get_affinity_max_proc)
HEDDLE_PLAIN(void, kmp_set_library_serial)
HEDDLE_PLAIN(void, kmp_set_library_turnaround)
HEDDLE_PLAIN(void, kmp_set_library_throughput)
HEDDLE_PLAIN(void, kmp_set_warnings_on)
HEDDLE_PLAIN(void, kmp_set_warnings_off)
HEDDLE_OF_REFERENCE(int, kmp_get_cancellation_status, int)
HEDDLE_OF_REFERENCE(void, kmp_set_stacksize, int)
HEDDLE_OF_REFERENCE(void, kmp_set_stacksize_s, std::size_t)
HEDDLE_OF_REFERENCE(void, kmp_set_blocktime, int)
HEDDLE_OF_REFERENCE(void, kmp_set_library, int)
HEDDLE_OF_REFERENCE(void, kmp_set_disp_num_buffers, int)
HEDDLE_OF_MASK(void, kmp_create_affinity_mask)
HEDDLE_OF_MASK(void, kmp_destroy_affinity_mask)
HEDDLE_OF_MASK(int, kmp_set_affinity)
HEDDLE_OF_MASK(int, kmp_get_affinity)
HEDDLE_OF_NUMBER_AND_MASK(kmp_set_affinity_mask_proc)
HEDDLE_OF_NUMBER_AND_MASK(kmp_unset_affinity_mask_proc)
HEDDLE_OF_NUMBER_AND_MASK(kmp_get_affinity_mask_proc)
HEDDLE_OF_REFERENCE(void*, kmp_malloc, std::size_t)

HEDDLE_EXPORT void kmp_set_defaults_(const char* text) {
  kmp_set_defaults(text);
}
HEDDLE_EXPORT void* kmp_aligned_malloc_(const std::size_t* bytes, const std::size_t* alignment) {
  return kmp_aligned_malloc(*bytes, *alignment);
}
HEDDLE_EXPORT void* kmp_calloc_(const std::size_t* count, const std::size_t* bytes) {
  return kmp_calloc(*count, *bytes);
}
HEDDLE_EXPORT void* kmp_realloc_(void* const* block, const std::size_t* bytes) {
  return kmp_realloc(*block, *bytes);
}
HEDDLE_EXPORT void kmp_free_(void* const* block) {
  kmp_free(*block);
}

// -- masks of processors for a program's own threads: routines of LLVM's omp.h. Zero is success; a number
// that is no processor gives a negative result.

namespace {

// What the program keeps as kmp_affinity_mask_t.
using Mask = void*;

ProcessorMask* mask_of(const Mask* mask) {
  return mask != nullptr ? static_cast<ProcessorMask*>(*mask) : nullptr;
}

bool is_processor(int number) {
  return number >= 0 && number < ProcessorMask::capacity();
}

int set_processor(int number, Mask* mask, bool is_in) {
  ProcessorMask* const found = mask_of(mask);
  if (found == nullptr || !is_processor(number)) return -1;
  if (is_in)
    found->add(number);
  else
    found->remove(number);
  return 0;
}

int get_processor(int number, const Mask* mask) {
  const ProcessorMask* const found = mask_of(mask);
  if (found == nullptr || !is_processor(number)) return -1;
  return found->contains(number);
}

}  // namespace

HEDDLE_EXPORT void kmp_create_affinity_mask(Mask* mask) {
  *mask = new ProcessorMask;
}
HEDDLE_EXPORT void kmp_destroy_affinity_mask(Mask* mask) {
  delete mask_of(mask);
  *mask = nullptr;
}
HEDDLE_EXPORT int kmp_get_affinity_max_proc() {
  return ProcessorMask::capacity();
}
HEDDLE_EXPORT int kmp_set_affinity(Mask* mask) {
  const ProcessorMask* const found = mask_of(mask);
  return found != nullptr && found->store_to_thread() ? 0 : -1;
}
HEDDLE_EXPORT int kmp_get_affinity(Mask* mask) {
  ProcessorMask* const found = mask_of(mask);
  return found != nullptr && found->load_from_thread() ? 0 : -1;
}

HEDDLE_EXPORT int kmp_set_affinity_mask_proc(int number, Mask* mask) {
  return set_processor(number, mask, true);
}
HEDDLE_EXPORT int kmp_unset_affinity_mask_proc(int number, Mask* mask) {
  return set_processor(number, mask, false);
}
HEDDLE_EXPORT int kmp_get_affinity_mask_proc(int number, Mask* mask) {
  return get_processor(number, mask);
}
HEDDLE_EXPORT int kmpc_set_affinity_mask_proc(int number, Mask* mask) {
  return set_processor(number, mask, true);
}
HEDDLE_EXPORT int kmpc_unset_affinity_mask_proc(int number, Mask* mask) {
  return set_processor(number, mask, false);
}
HEDDLE_EXPORT int kmpc_get_affinity_mask_proc(int number, Mask* mask) {
  return get_processor(number, mask);
}
