// A tool that checks what it is told against the rules of OpenMP 5.2, chapter 19, while any program runs: a
// broken rule is one line on stderr, and ends the program with SIGABRT.
//
// Rules: a thread begins and ends once. An implicit task begins and ends on one thread, inside its region. An
// explicit task is created once, by the task that the thread executes; it begins after that, goes on after it
// was left, and completes once. An undeferred task begins in the frame in which it was created. The
// thread that leaves a task executes it. Regions of synchronisation and their waits begin and end in pairs,
// worksharing constructs as often. In the end everything that began has ended, unless the program was ended
// by itself. What the tool asks in a callback is answered for the task and the region in which the event
// happens: of the beginning of a region the ones that meet it.
//
// CHECKING_TOOL_COUNTS=FILE: how many events of each kind there were, a line "name count" each.
#include <omp-tools.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

enum class Stage { created, running, left, detached, complete };

struct Task {
  Stage stage = Stage::created;
  bool is_implicit = false;
  bool is_cancelled = false;
  int syncs = 0, waits = 0;               // that it is in
  const ompt_frame_t* creator = nullptr;  // its creator's, and where that had entered the runtime
  const void* created_in = nullptr;
};
struct Region {
  std::atomic<int> implicit{0};  // tasks that are in it
};
struct Place {  // in the regions around
  Task* task;
  void* region;  // null: of the program's initial task
  int threads;
};
struct Thread {
  Task* current = nullptr;
  std::vector<Place> outer{{nullptr, nullptr, 0}};
  void* region = nullptr;  // of `current`
  int threads = 0;         // in it; 0: not known
  bool has_ended = false;
  Task* created = nullptr;         // by its last event
  Task* created_before = nullptr;  // by the one before
};

std::mutex g_lock;  // of what follows
// Never destroyed: threads may still be telling when the program ends.
std::map<std::string, long>& g_counts = *new std::map<std::string, long>;
std::vector<Task*>& g_tasks = *new std::vector<Task*>;
std::vector<Thread*>& g_threads = *new std::vector<Thread*>;
std::vector<Region*>& g_all_regions = *new std::vector<Region*>;
long g_regions = 0;
ompt_get_thread_data_t g_get_thread_data = nullptr;
ompt_get_task_info_t g_get_task_info = nullptr;
ompt_get_parallel_info_t g_get_parallel_info = nullptr;
ompt_get_proc_id_t g_get_proc_id = nullptr;
ompt_get_place_num_t g_get_place_num = nullptr;
ompt_get_num_places_t g_get_num_places = nullptr;
ompt_get_partition_place_nums_t g_get_partition_place_nums = nullptr;
ompt_get_state_t g_get_state = nullptr;

[[noreturn]] void broken(const char* format, ...) {
  std::va_list list;
  va_start(list, format);
  std::fputs("checking tool: ", stderr);
  std::vfprintf(stderr, format, list);
  std::fputc('\n', stderr);
  va_end(list);
  std::abort();
}

void count(const char* name) {
  const std::lock_guard guard(g_lock);
  ++g_counts[name];
}

Thread& here(const char* event) {
  ompt_data_t* const data = g_get_thread_data();
  if (data == nullptr || data->ptr == nullptr) broken("%s on a thread that has not begun", event);
  Thread& thread = *static_cast<Thread*>(data->ptr);
  if (thread.has_ended) broken("%s on a thread that has ended", event);
  count(event);
  thread.created_before = std::exchange(thread.created, nullptr);
  return thread;
}

// Of the thread alone: in every callback.
void check_place(const char* event) {
  cpu_set_t allowed;
  const int processor = g_get_proc_id();
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0 &&
      (processor < 0 || !CPU_ISSET(static_cast<std::size_t>(processor), &allowed)))
    broken("in %s the thread is on processor %d, where it may not run", event, processor);
  const int place = g_get_place_num(), places = g_get_num_places();
  if (place < -1 || place >= places) broken("in %s the thread is on place %d of %d", event, place, places);
  if (g_get_state(nullptr) == ompt_state_undefined) broken("in %s the thread has no state", event);
}

// And of what it executes: in those that happen in a task.
void check_answers(const Thread& thread, const char* event) {
  check_place(event);
  if (thread.current == nullptr) return;
  ompt_data_t *task = nullptr, *region = nullptr, *its_region = nullptr;
  int threads = 0, number = -1;
  if (g_get_task_info(0, nullptr, &task, nullptr, &its_region, &number) != 2 || task == nullptr)
    broken("in %s there is no task", event);
  if (task->ptr != thread.current) broken("in %s the task is another than the one that is executed", event);
  if (g_get_parallel_info(0, &region, &threads) != 2 || region == nullptr)
    broken("in %s there is no region", event);
  if (region->ptr != thread.region || its_region != region) broken("in %s the region is another", event);
  if (thread.threads != 0 && threads != thread.threads)
    broken("in %s the region has %d threads, not %d", event, threads, thread.threads);
  if (number < 0 || (threads > 0 && number >= threads))
    broken("in %s the thread is number %d of %d", event, number, threads);
  const int place = g_get_place_num(), places = g_get_num_places();
  std::vector<int> partition(static_cast<std::size_t>(std::max(places, 1)));
  const int count = g_get_partition_place_nums(places, partition.data());
  if (count < 0 || count > places) broken("in %s the partition has %d of %d places", event, count, places);
  const auto end = partition.begin() + count;
  if (place >= 0 && std::find(partition.begin(), end, place) == end)
    broken("in %s the thread's place %d is not in its partition", event, place);
  if (g_get_parallel_info(100000, nullptr, nullptr) != 0)
    broken("in %s there is a region far outside", event);
}

Task& known(ompt_data_t* data, const char* event) {
  if (data == nullptr || data->ptr == nullptr) broken("%s names a task that is not known", event);
  return *static_cast<Task*>(data->ptr);
}

Task* new_task(ompt_data_t* data, const char* event) {
  if (data->ptr != nullptr) broken("%s of a task that is known already", event);
  auto* task = new Task;
  data->ptr = task;
  const std::lock_guard guard(g_lock);
  g_tasks.push_back(task);
  return task;
}

void thread_begin(ompt_thread_t, ompt_data_t* data) {
  if (data->ptr != nullptr) broken("a thread begins twice");
  auto* thread = new Thread;
  data->ptr = thread;
  count("thread_begin");
  const std::lock_guard guard(g_lock);
  g_threads.push_back(thread);
}
void thread_end(ompt_data_t*) {
  Thread& thread = here("thread_end");
  thread.has_ended = true;
}

void parallel_begin(ompt_data_t* task, const ompt_frame_t*, ompt_data_t* region, unsigned, int, const void*) {
  Thread& thread = here("parallel_begin");
  if (&known(task, "parallel_begin") != thread.current)
    broken("a region is met by a task that is not executed");
  check_answers(thread, "parallel_begin");
  auto* const met = new Region;
  region->ptr = met;
  const std::lock_guard guard(g_lock);
  g_all_regions.push_back(met);
  ++g_regions;
}
void parallel_end(ompt_data_t* region, ompt_data_t* task, int, const void*) {
  Thread& thread = here("parallel_end");
  if (&known(task, "parallel_end") != thread.current)
    broken("a region ends in another task than it began in");
  check_answers(thread, "parallel_end");
  if (region->ptr == nullptr) broken("a region ends that has not begun");
  const std::lock_guard guard(g_lock);
  --g_regions;  // its Region stays: workers may still leave it
}

void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* region, ompt_data_t* data, unsigned size,
                   unsigned index, int flags) {
  Thread& thread = here("implicit_task");
  const bool is_initial = (flags & ompt_task_initial) != 0;
  if (endpoint == ompt_scope_begin) {
    if (!is_initial && index >= size) broken("implicit task %u of %u", index, size);
    Task* const task = new_task(data, "implicit_task");
    task->is_implicit = true;
    task->stage = Stage::running;
    thread.outer.push_back({thread.current, thread.region, thread.threads});
    thread.current = task;
    thread.region = region->ptr;
    thread.threads = is_initial ? 0 : static_cast<int>(size);
    return check_answers(thread, "implicit_task");
  }
  Task& task = known(data, "implicit_task");
  if (&task != thread.current) broken("an implicit task ends that its thread does not execute");
  if (task.syncs != 0 || task.waits != 0) broken("an implicit task ends within a wait");
  task.stage = Stage::complete;
  check_place("implicit_task");
  const Place outer = thread.outer.back();
  thread.current = outer.task;
  thread.region = outer.region;
  thread.threads = outer.threads;
  thread.outer.pop_back();
}

void task_create(ompt_data_t* creator, const ompt_frame_t* frame, ompt_data_t* data, int flags, int,
                 const void*) {
  Thread& thread = here("task_create");
  if (&known(creator, "task_create") != thread.current)
    broken("a task is created by one that is not executed");
  check_answers(thread, "task_create");
  Task* const task = new_task(data, "task_create");
  task->creator = frame;
  task->created_in = frame->enter_frame.ptr;
  if (task->created_in == nullptr) broken("a task is created outside the runtime");
  if ((flags & ompt_task_undeferred) != 0) thread.created = task;
}

void task_schedule(ompt_data_t* prior, ompt_task_status_t status, ompt_data_t* next) {
  Task& left = known(prior, "task_schedule");
  if (status == ompt_task_early_fulfill || status == ompt_task_late_fulfill) {  // by any thread
    count(status == ompt_task_early_fulfill ? "early_fulfill" : "late_fulfill");
    if (status == ompt_task_late_fulfill) {
      if (left.stage != Stage::detached) broken("an event is fulfilled late of a task that has not ended");
      left.stage = Stage::complete;
    }
    return;
  }
  Thread& thread = here("task_schedule");
  if (status == ompt_taskwait_complete) {
    left.stage = Stage::complete;
    return;
  }
  if (&left != thread.current) broken("a task is left (status %d) that its thread does not execute", status);
  switch (status) {
    case ompt_task_complete:
    case ompt_task_cancel:
      if (left.stage == Stage::complete) broken("a task completes twice");
      if (left.syncs != 0 || left.waits != 0) broken("a task completes within a wait");
      left.stage = Stage::complete;
      break;
    case ompt_task_detach:
      left.stage = Stage::detached;
      break;
    default:
      left.stage = Stage::left;
  }
  Task& task = known(next, "task_schedule");
  if (task.stage == Stage::complete || task.stage == Stage::detached) broken("a task goes on that has ended");
  if (task.stage == Stage::running && !task.is_implicit) broken("a task is executed by two threads");
  if (thread.created_before == &task && task.creator->enter_frame.ptr != task.created_in)
    broken("an undeferred task begins below another frame than it was created in");
  task.stage = Stage::running;
  thread.current = &task;
}

void dependences(ompt_data_t* task, const ompt_dependence_t* list, int length) {
  check_answers(here("dependences"), "dependences");
  known(task, "dependences");
  if (length > 0 && list == nullptr) broken("dependences without a list");
}
void task_dependence(ompt_data_t* source, ompt_data_t* sink) {
  here("task_dependence");
  known(source, "task_dependence");  // it may complete meanwhile
  if (known(sink, "task_dependence").stage != Stage::created) broken("a dependence of a task that has begun");
}

void pair(int& depth, ompt_scope_endpoint_t endpoint, const char* event) {
  depth += endpoint == ompt_scope_begin ? 1 : -1;
  if (depth < 0) broken("%s ends that has not begun", event);
}
void sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task,
                 const void*) {
  Thread& thread = here("sync_region");
  if (&known(task, "sync_region") != thread.current) broken("a task waits that is not executed");
  pair(thread.current->syncs, endpoint, "sync_region");
  // Behind a region's last barrier the region may be over.
  if (kind != ompt_sync_region_barrier_implicit_parallel || endpoint == ompt_scope_begin)
    check_answers(thread, "sync_region");
}
void sync_region_wait(ompt_sync_region_t, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task,
                      const void*) {
  Thread& thread = here("sync_region_wait");
  if (&known(task, "sync_region_wait") != thread.current) broken("a task waits that is not executed");
  pair(thread.current->waits, endpoint, "sync_region_wait");
}

void work(ompt_work_t, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task, std::uint64_t,
          const void*) {
  Thread& thread = here(endpoint == ompt_scope_begin ? "work_begin" : "work_end");
  if (&known(task, "work") != thread.current) broken("a task is in a construct that is not executed");
  check_answers(thread, "work");
}

void mutex_acquire(ompt_mutex_t, unsigned, unsigned, ompt_wait_id_t, const void*) {
  check_answers(here("mutex_acquire"), "mutex_acquire");
}
void mutex_acquired(ompt_mutex_t, ompt_wait_id_t, const void*) {
  check_answers(here("mutex_acquired"), "mutex_acquired");
  ompt_wait_id_t waits_for = 0;
  const int state = g_get_state(&waits_for);
  for (const int waits :
       {ompt_state_wait_lock, ompt_state_wait_critical, ompt_state_wait_atomic, ompt_state_wait_ordered})
    if (state == waits || waits_for != 0) broken("a thread waits for what it has");
}
void mutex_released(ompt_mutex_t, ompt_wait_id_t, const void*) {
  here("mutex_released");
}

int initialize(ompt_function_lookup_t look_up, int, ompt_data_t*) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(look_up("ompt_set_callback"));
  const auto find = [look_up](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(look_up(name));
    if (function == nullptr) broken("the entry point %s is not there", name);
  };
  find(g_get_thread_data, "ompt_get_thread_data");
  find(g_get_task_info, "ompt_get_task_info");
  find(g_get_parallel_info, "ompt_get_parallel_info");
  find(g_get_proc_id, "ompt_get_proc_id");
  find(g_get_place_num, "ompt_get_place_num");
  find(g_get_num_places, "ompt_get_num_places");
  find(g_get_partition_place_nums, "ompt_get_partition_place_nums");
  find(g_get_state, "ompt_get_state");
  if (set == nullptr) broken("an entry point is not there");
  const auto want = [set](ompt_callbacks_t event, auto* callback) {
    if (set(event, reinterpret_cast<ompt_callback_t>(callback)) != ompt_set_always)
      broken("event %d is not always told", static_cast<int>(event));
  };
  want(ompt_callback_thread_begin, thread_begin);
  want(ompt_callback_thread_end, thread_end);
  want(ompt_callback_parallel_begin, parallel_begin);
  want(ompt_callback_parallel_end, parallel_end);
  want(ompt_callback_implicit_task, implicit_task);
  want(ompt_callback_task_create, task_create);
  want(ompt_callback_task_schedule, task_schedule);
  want(ompt_callback_dependences, dependences);
  want(ompt_callback_task_dependence, task_dependence);
  want(ompt_callback_sync_region, sync_region);
  want(ompt_callback_sync_region_wait, sync_region_wait);
  want(ompt_callback_work, work);
  want(ompt_callback_mutex_acquire, mutex_acquire);
  want(ompt_callback_mutex_acquired, mutex_acquired);
  want(ompt_callback_mutex_released, mutex_released);
  return 1;
}

void finalize(ompt_data_t*) {
  const std::lock_guard guard(g_lock);
  long incomplete = 0;
  for (const Task* task : g_tasks) incomplete += task->stage != Stage::complete ? 1 : 0;
  if (std::getenv("CHECKING_TOOL_ENDS_EARLY") == nullptr) {
    if (incomplete != 0) broken("%ld of %zu tasks have not completed", incomplete, g_tasks.size());
    if (g_regions != 0) broken("%ld regions have not ended", g_regions);
    if (g_counts["work_begin"] != g_counts["work_end"])
      broken("%ld worksharing constructs began, %ld ended", g_counts["work_begin"], g_counts["work_end"]);
  }
  const char* const path = std::getenv("CHECKING_TOOL_COUNTS");
  if (path == nullptr) return;
  std::FILE* const file = std::fopen(path, "w");
  if (file == nullptr) broken("%s cannot be written", path);
  for (const auto& [name, events] : g_counts) std::fprintf(file, "%s %ld\n", name.c_str(), events);
  std::fclose(file);
}

}  // namespace

extern "C" ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) {
  static ompt_start_tool_result_t result{initialize, finalize, ompt_data_none};
  return &result;
}
