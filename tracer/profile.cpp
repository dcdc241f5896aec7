// libheddle-profile.so: a tool of OpenMP's tools interface that adds up where time goes, and writes the sums
// when the program ends. `heddle profile` loads it.
//
// Words: a *bucket* is a cause that a thread's time goes into; a *construct* is what makes tasks, known by
// where its code stands. A task's *own* time is the one in which it computes.
//
// Invariant: a thread adds to its own sums alone; a task's are those of the thread that executes it.
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/include/heddle_tools.h"
#include "tracer/clock.hpp"
#include "tracer/lock_waits.hpp"
#include "tracer/numa_node.hpp"
#include "tracer/process_files.hpp"

namespace heddle::tracer {
namespace {

enum Bucket : std::uint8_t {
  kNoTask,
  kInitial,
  kRegion,
  kTask,
  kWaits,                // and ompt_sync_region_t
  kLocks = kWaits + 16,  // and ompt_mutex_t
  kBuckets = kLocks + 16,
};
constexpr int kHistogram = 64;  // of powers of two of ticks
constexpr int kDeepest = 8;     // waits within a wait of one task; deeper ones count as the outer one

struct Sums {
  std::uint64_t count = 0;
  std::uint64_t ticks = 0;
  std::uint64_t shortest = ~std::uint64_t{0};
  std::uint64_t longest = 0;
  std::array<std::uint64_t, kHistogram> histogram{};

  void add(std::uint64_t own) {
    ++count;
    ticks += own;
    shortest = std::min(shortest, own);
    longest = std::max(longest, own);
    ++histogram[static_cast<std::size_t>(std::bit_width(own) % kHistogram)];
  }
  void add(const Sums& other) {
    count += other.count;
    ticks += other.ticks;
    shortest = std::min(shortest, other.shortest);
    longest = std::max(longest, other.longest);
    for (int i = 0; i < kHistogram; ++i) histogram[i] += other.histogram[i];
  }
};

struct Task {
  Task* next = nullptr;  // of those that are free
  const void* code = nullptr;
  Bucket computes = kTask;
  bool has_begun = false;
  unsigned node = 0;  // of memory, of its creator
  int depth = 0;
  std::array<Bucket, kDeepest> stands{};
  std::uint64_t own = 0;

  Bucket bucket() const { return depth == 0 ? computes : stands[std::min(depth, kDeepest) - 1]; }
};

// Tasks that are free, for all threads: where one creates what others execute, theirs come back to it. In
// lists of kBatch.
struct FreeTasks {
  static constexpr int kBatch = 64;
  std::mutex mutex;
  std::vector<Task*> batches;

  void put(Task* batch) {
    const std::lock_guard lock(mutex);
    batches.push_back(batch);
  }
  Task* take() {
    const std::lock_guard lock(mutex);
    if (batches.empty()) return nullptr;
    Task* const batch = batches.back();
    batches.pop_back();
    return batch;
  }
};

struct Thread {
  std::array<std::uint64_t, kBuckets> ticks{};
  std::unordered_map<const void*, Sums> constructs;
  const void* last_code = nullptr;  // what was looked for in it last
  Sums* last_sums = nullptr;
  std::uint64_t cancelled = 0;
  std::uint64_t other_node = 0;  // tasks that began on another node than their creator's
  unsigned node = 0;             // where it was when its region began
  NestedLockWait nested_lock;
  Task* current = nullptr;
  Task* free = nullptr;        // a batch at most
  Task* free_batch = nullptr;  // none, or a whole one
  int free_count = 0;
  std::uint64_t last = 0;

  Sums& sums_of(const Task& task) {
    if (last_sums == nullptr || last_code != task.code) {
      last_sums = &constructs[task.code];
      last_code = task.code;
    }
    return *last_sums;
  }
};

heddle_get_task_code_t g_get_task_code = nullptr;
std::mutex g_mutex;
// Guarded by g_mutex. Never destroyed, nor are the threads: a runtime may end after this library.
auto& g_threads = *new std::vector<Thread*>;
auto& g_free = *new FreeTasks;
Task g_before_openmp{.computes = kInitial};  // what the loading thread does before its initial task begins
constinit thread_local Thread* t_thread __attribute__((tls_model("initial-exec"))) = nullptr;

Thread& here() {
  if (t_thread == nullptr) [[unlikely]] {
    t_thread = new Thread;
    const bool has_loaded = is_loading_thread();
    t_thread->last = has_loaded ? g_loaded.ticks : ticks();
    if (has_loaded) t_thread->current = &g_before_openmp;
    const std::lock_guard lock(g_mutex);
    g_threads.push_back(t_thread);
  }
  return *t_thread;
}

// The time since the thread's last event goes where the thread was.
Thread& account() {
  Thread& thread = here();
  const std::uint64_t now = ticks();
  const std::uint64_t since = now - thread.last;
  thread.last = now;
  Task* const task = thread.current;
  const Bucket bucket = task != nullptr ? task->bucket() : kNoTask;
  thread.ticks[bucket] += since;
  if (bucket == kTask) task->own += since;
  return thread;
}

Task* task_of(ompt_data_t* data) {
  return data != nullptr ? static_cast<Task*>(data->ptr) : nullptr;
}

Task& new_task(ompt_data_t* data, Bucket computes) {
  Thread& thread = here();
  if (thread.free == nullptr) {
    thread.free = thread.free_batch != nullptr ? std::exchange(thread.free_batch, nullptr) : g_free.take();
    thread.free_count = thread.free != nullptr ? FreeTasks::kBatch : 0;
  }
  Task* task = thread.free;
  if (task != nullptr) {
    thread.free = task->next;
    --thread.free_count;
  } else {
    task = new Task;
  }
  *task = Task{.computes = computes};
  data->ptr = task;
  return *task;
}

void free_task(Thread& thread, Task& task) {
  if (thread.free_count == FreeTasks::kBatch) {
    if (thread.free_batch != nullptr) g_free.put(thread.free_batch);
    thread.free_batch = std::exchange(thread.free, nullptr);
    thread.free_count = 0;
  }
  task.next = thread.free;
  thread.free = &task;
  ++thread.free_count;
}

void enter(Bucket bucket) {
  Task* const task = account().current;
  if (task == nullptr) return;
  if (task->depth < kDeepest) task->stands[task->depth] = bucket;
  ++task->depth;
}
void leave() {
  Task* const task = account().current;
  if (task != nullptr && task->depth > 0) --task->depth;
}

void on_thread_begin(ompt_thread_t, ompt_data_t*) {
  account();
}
void on_thread_end(ompt_data_t*) {
  account();
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* data, unsigned, unsigned,
                      int flags) {
  Thread& thread = account();
  if (endpoint == ompt_scope_begin) {
    thread.current = &new_task(data, (flags & ompt_task_initial) != 0 ? kInitial : kRegion);
    thread.node = this_processor().node;
  } else {
    if (Task* const task = task_of(data)) free_task(thread, *task);
    thread.current = nullptr;
  }
}
void on_parallel_end(ompt_data_t*, ompt_data_t* task, int, const void*) {
  account().current = task_of(task);
}

void on_task_create(ompt_data_t*, const ompt_frame_t*, ompt_data_t* data, int, int, const void* where) {
  Task& task = new_task(data, kTask);
  const void* const body = g_get_task_code != nullptr ? g_get_task_code(data) : nullptr;
  task.code = body != nullptr ? body : where;
  task.node = here().node;
}
void on_task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  Thread& thread = account();
  if (next != nullptr) {
    Task* const task = thread.current = task_of(next);
    if (task != nullptr && task->computes == kTask && !std::exchange(task->has_begun, true))
      thread.other_node += task->node != thread.node ? 1 : 0;
  }
  const bool is_over = status == ompt_task_complete || status == ompt_task_cancel ||
                       status == ompt_task_late_fulfill || status == ompt_taskwait_complete;
  // Of a task that goes on, as one whose event is fulfilled early, nothing may be looked at: another thread
  // may end it.
  Task* const left = is_over ? task_of(prior) : nullptr;
  if (left == nullptr) return;
  if (status == ompt_task_cancel)
    ++thread.cancelled;
  else if (status != ompt_taskwait_complete)
    thread.sums_of(*left).add(left->own);
  free_task(thread, *left);
}

void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t*,
             const void*) {
  if (endpoint == ompt_scope_begin)
    enter(static_cast<Bucket>(kWaits + kind % 16));
  else
    leave();
}
void on_mutex_acquire(ompt_mutex_t kind, unsigned, unsigned, ompt_wait_id_t, const void*) {
  here().nested_lock.acquires(kind);
  if (waits(kind)) enter(static_cast<Bucket>(kLocks + kind % 16));
}
void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t, const void*) {
  here().nested_lock.has_acquired();
  if (waits(kind)) leave();
}
void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t, const void*) {
  if (here().nested_lock.ends_at(endpoint)) leave();
}

// -- the end

Thread added_up() {
  Thread all;
  const std::lock_guard lock(g_mutex);
  for (Thread* const thread : g_threads) {
    for (int bucket = 0; bucket < kBuckets; ++bucket) all.ticks[bucket] += thread->ticks[bucket];
    for (const auto& [code, sums] : thread->constructs) all.constructs[code].add(sums);
    all.cancelled += thread->cancelled;
    all.other_node += thread->other_node;
  }
  return all;
}

// The sums, to a file. Returns whether all is written.
bool write(const Thread& all, std::size_t threads, std::FILE* file) {
  const ClockPair end = read_both_clocks();
  const double ns_a_tick = static_cast<double>(end.monotonic_ns - g_loaded.monotonic_ns) /
                           static_cast<double>(std::max<std::uint64_t>(end.ticks - g_loaded.ticks, 1));
  const auto ns = [&](std::uint64_t count) { return static_cast<double>(count) * ns_a_tick; };
  const std::uint64_t end_unix_ns = unix_ns();
  std::fprintf(file,
               "heddle-profile 3\nbegin %" PRIu64 "\nend %" PRIu64 "\nthreads %zu\ncancelled %" PRIu64
               "\nother_node %" PRIu64 "\n",
               end_unix_ns - (end.monotonic_ns - g_loaded.monotonic_ns), end_unix_ns, threads, all.cancelled,
               all.other_node);
  for (int bucket = 0; bucket < kBuckets; ++bucket) {
    if (all.ticks[bucket] == 0) continue;
    const char* const group = bucket >= kLocks ? "lock" : bucket >= kWaits ? "wait" : "computes";
    const int number = bucket >= kLocks ? bucket - kLocks : bucket >= kWaits ? bucket - kWaits : bucket;
    std::fprintf(file, "%s %d %.0f\n", group, number, ns(all.ticks[bucket]));
  }
  for (const auto& [code, sums] : all.constructs) {
    std::fprintf(file, "construct %d %" PRIxPTR " %" PRIu64 " %.0f %.0f %.0f",
                 g_get_task_code != nullptr ? 1 : 0, reinterpret_cast<std::uintptr_t>(code), sums.count,
                 ns(sums.ticks), ns(sums.shortest), ns(sums.longest));
    // How many took less than each power of two of ticks, in ns.
    for (int i = 0; i < kHistogram; ++i)
      if (sums.histogram[i] != 0)
        std::fprintf(file, " %.1f:%" PRIu64, ns(std::uint64_t{1} << i), sums.histogram[i]);
    std::fputc('\n', file);
  }
  return std::fflush(file) == 0 && std::ferror(file) == 0;
}

void write_file(const Thread& all, std::size_t threads) {
  const FileSizeSignalBlock no_signal;
  const std::string path = make_file(".profile");
  const std::string unfinished = path + ".part";
  std::FILE* const file = path.empty() ? nullptr : std::fopen(unfinished.c_str(), "wxe");
  const bool is_whole = file != nullptr && write(all, threads, file);
  if (file != nullptr && std::fclose(file) == 0 && is_whole) {
    std::rename(unfinished.c_str(), path.c_str());
    copy_memory_map(path);
    return;
  }
  std::fprintf(stderr, "heddle profile: the sums cannot be written: %s\n", std::strerror(errno));
  if (path.empty()) return;
  unlink(unfinished.c_str());
  unlink(path.c_str());
}

// The task in which the program ends counts as far as it came.
void account_for_end() {
  Thread& thread = account();
  if (thread.current != nullptr && thread.current->computes == kTask)
    thread.sums_of(*thread.current).add(thread.current->own);
}

int initialize(ompt_function_lookup_t look_up, int, ompt_data_t*) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(look_up("ompt_set_callback"));
  if (set == nullptr) return 0;
  g_get_task_code = reinterpret_cast<heddle_get_task_code_t>(look_up("heddle_get_task_code"));
  const auto hear = [&](ompt_callbacks_t event, auto* function) {
    set(event, reinterpret_cast<ompt_callback_t>(function));
  };
  hear(ompt_callback_thread_begin, on_thread_begin);
  hear(ompt_callback_thread_end, on_thread_end);
  hear(ompt_callback_parallel_end, on_parallel_end);
  hear(ompt_callback_implicit_task, on_implicit_task);
  hear(ompt_callback_task_create, on_task_create);
  hear(ompt_callback_task_schedule, on_task_schedule);
  hear(ompt_callback_sync_region_wait, on_wait);
  hear(ompt_callback_mutex_acquire, on_mutex_acquire);
  hear(ompt_callback_mutex_acquired, on_mutex_acquired);
  hear(ompt_callback_nest_lock, on_nest_lock);
  return 1;
}

void finalize(ompt_data_t*) {
  account_for_end();
  write_file(added_up(), g_threads.size());
}

}  // namespace
}  // namespace heddle::tracer

extern "C" [[gnu::visibility("default")]] ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t result = {heddle::tracer::initialize, heddle::tracer::finalize, {}};
  return &result;
}
