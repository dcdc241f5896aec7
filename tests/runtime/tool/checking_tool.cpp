// A tool that checks what it is told against the rules of OpenMP 5.2, chapter 19, while any program runs: a
// broken rule is one line on stderr, and ends the program with SIGABRT.
//
// Rules: a thread begins and ends once. An implicit task begins and ends on one thread, inside its region. An
// explicit task is created once, by the task that the thread executes; it begins after that, goes on after it
// was left, and completes once. Whoever leaves a task is the one that executes it. Regions of synchronisation
// and their waits begin and end in pairs, worksharing constructs as often. In the end everything that began
// has ended, unless the program was ended by itself.
//
// CHECKING_TOOL_COUNTS=FILE: how many events of each kind there were, a line "name count" each.
#include <omp-tools.h>

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace {

enum class Stage { created, running, left, detached, complete };

struct Task {
  Stage stage = Stage::created;
  bool is_implicit = false;
  bool is_cancelled = false;
  int syncs = 0, waits = 0;  // that it is in
};
struct Thread {
  Task* current = nullptr;
  std::vector<Task*> outer;  // implicit tasks of the regions around
  bool has_ended = false;
};
struct Region {
  std::atomic<int> implicit{0};  // tasks that are in it
};

std::mutex g_lock;  // of what follows
// Never destroyed: threads may still be telling when the program ends.
std::map<std::string, long>& g_counts = *new std::map<std::string, long>;
std::vector<Task*>& g_tasks = *new std::vector<Task*>;
std::vector<Thread*>& g_threads = *new std::vector<Thread*>;
std::vector<Region*>& g_all_regions = *new std::vector<Region*>;
long g_regions = 0;
ompt_get_thread_data_t g_get_thread_data = nullptr;

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
  return thread;
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
  if (region->ptr == nullptr) broken("a region ends that has not begun");
  const std::lock_guard guard(g_lock);
  --g_regions;  // its Region stays: workers may still leave it
}

void implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* data, unsigned size,
                   unsigned index, int flags) {
  Thread& thread = here("implicit_task");
  const bool is_initial = (flags & ompt_task_initial) != 0;
  if (endpoint == ompt_scope_begin) {
    if (!is_initial && index >= size) broken("implicit task %u of %u", index, size);
    Task* const task = new_task(data, "implicit_task");
    task->is_implicit = true;
    task->stage = Stage::running;
    thread.outer.push_back(thread.current);
    thread.current = task;
    return;
  }
  Task& task = known(data, "implicit_task");
  if (&task != thread.current) broken("an implicit task ends that its thread does not execute");
  if (task.syncs != 0 || task.waits != 0) broken("an implicit task ends within a wait");
  task.stage = Stage::complete;
  thread.current = thread.outer.back();
  thread.outer.pop_back();
}

void task_create(ompt_data_t* creator, const ompt_frame_t*, ompt_data_t* data, int, int, const void*) {
  Thread& thread = here("task_create");
  if (&known(creator, "task_create") != thread.current)
    broken("a task is created by one that is not executed");
  new_task(data, "task_create");
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
  task.stage = Stage::running;
  thread.current = &task;
}

void dependences(ompt_data_t* task, const ompt_dependence_t* list, int length) {
  here("dependences");
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
void sync_region(ompt_sync_region_t, ompt_scope_endpoint_t endpoint, ompt_data_t*, ompt_data_t* task,
                 const void*) {
  Thread& thread = here("sync_region");
  if (&known(task, "sync_region") != thread.current) broken("a task waits that is not executed");
  pair(thread.current->syncs, endpoint, "sync_region");
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
}

void mutex_acquire(ompt_mutex_t, unsigned, unsigned, ompt_wait_id_t, const void*) {
  here("mutex_acquire");
}
void mutex_acquired(ompt_mutex_t, ompt_wait_id_t, const void*) {
  here("mutex_acquired");
}
void mutex_released(ompt_mutex_t, ompt_wait_id_t, const void*) {
  here("mutex_released");
}

int initialize(ompt_function_lookup_t look_up, int, ompt_data_t*) {
  const auto set = reinterpret_cast<ompt_set_callback_t>(look_up("ompt_set_callback"));
  g_get_thread_data = reinterpret_cast<ompt_get_thread_data_t>(look_up("ompt_get_thread_data"));
  if (set == nullptr || g_get_thread_data == nullptr) broken("an entry point is not there");
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
