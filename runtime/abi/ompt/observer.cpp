// Calls a tool back. What it believes of a member is Member::tool; of each change of the task that a thread
// executes it learns. Every explicit task that is observed has room for a ToolTask behind everything else.
#include "abi/ompt/ompt.hpp"

#include <new>
#include <utility>
#include <vector>

#include "suspend/suspension.hpp"
#include "tasking/cancellation.hpp"
#include "team/wait.hpp"

namespace heddle::ompt {
namespace {

// -- words of the specification for ours

ompt_dependence_type_t type_of(const Dependence& dependence) {
  switch (dependence.kind) {
    case AccessKind::kIn:
      return ompt_dependence_type_in;
    case AccessKind::kOut:
      return dependence.is_all_memory ? ompt_dependence_type_out_all_memory : ompt_dependence_type_inout;
    case AccessKind::kMutexInOutSet:
      return ompt_dependence_type_mutexinoutset;
    case AccessKind::kInOutSet:
      return ompt_dependence_type_inoutset;
  }
  return ompt_dependence_type_inout;
}

heddle_suspend_t suspend_reason(WaitsFor reason) {
  switch (reason) {
    case WaitsFor::kEvent:
    case WaitsFor::kDetachEvent:
    case WaitsFor::kEventsOfLibrary:
      return heddle_suspend_event;
    case WaitsFor::kTime:
      return heddle_suspend_time;
    case WaitsFor::kChildren:
      return heddle_suspend_children;
    case WaitsFor::kGroup:
    case WaitsFor::kBarrier:
      return heddle_suspend_taskgroup;
    case WaitsFor::kPredecessors:
      return heddle_suspend_predecessors;
    case WaitsFor::kLock:
      return heddle_suspend_lock;
    case WaitsFor::kUnblock:
      return heddle_suspend_unblock;
    case WaitsFor::kTurn:
      return heddle_suspend_turn;
  }
  return heddle_suspend_turn;
}

ompt_state_t state_of_sync(ompt_sync_region_t kind) {
  switch (kind) {
    case ompt_sync_region_taskwait:
      return ompt_state_wait_taskwait;
    case ompt_sync_region_taskgroup:
      return ompt_state_wait_taskgroup;
    case ompt_sync_region_reduction:
      return ompt_state_work_reduction;
    case ompt_sync_region_barrier_explicit:
      return ompt_state_wait_barrier_explicit;
    case ompt_sync_region_barrier_implicit_workshare:
      return ompt_state_wait_barrier_implicit_workshare;
    case ompt_sync_region_barrier_implicit_parallel:
      return ompt_state_wait_barrier_implicit_parallel;
    case ompt_sync_region_barrier_teams:
      return ompt_state_wait_barrier_teams;
    default:
      return ompt_state_wait_barrier_implementation;
  }
}

ompt_state_t state_of_mutex(ompt_mutex_t kind) {
  switch (kind) {
    case ompt_mutex_critical:
      return ompt_state_wait_critical;
    case ompt_mutex_atomic:
      return ompt_state_wait_atomic;
    case ompt_mutex_ordered:
      return ompt_state_wait_ordered;
    default:
      return ompt_state_wait_lock;
  }
}

bool only_tests(ompt_mutex_t kind) {
  return kind == ompt_mutex_test_lock || kind == ompt_mutex_test_nest_lock;
}

ompt_wait_id_t wait_id_of(const void* lock) {
  return reinterpret_cast<ompt_wait_id_t>(lock);
}

// -- callbacks that several events share

ompt_data_t* current_task_data() {
  return &tool_task(*this_member().context.task).data;
}

void call_sync(ompt_callbacks_t event, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, Task& task,
               CallSite where) {
  call_tool<ompt_callback_sync_region_t>(event, kind, endpoint, &this_member().team->tool_data,
                                         &tool_task(task).data, where.address);
}

void call_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, std::uint64_t count, CallSite where) {
  call_tool<ompt_callback_work_t>(ompt_callback_work, kind, endpoint, &this_member().team->tool_data,
                                  current_task_data(), count, where.address);
}

void call_dispatch(ompt_dispatch_t kind, ompt_data_t instance) {
  call_tool<ompt_callback_dispatch_t>(ompt_callback_dispatch, &this_member().team->tool_data,
                                      current_task_data(), kind, instance);
}

// prior: left by the thread, with this status, for next; null where it is not left for anything.
void call_schedule(Task& prior, ompt_task_status_t status, Task* next) {
  call_tool<ompt_callback_task_schedule_t>(ompt_callback_task_schedule, &tool_task(prior).data, status,
                                           next != nullptr ? &tool_task(*next).data : nullptr);
}

// The thread goes on with another task than the tool believes, if it does.
void switch_to(Member& me, Task& next) {
  if (me.tool.task == &next) return;
  Task* const prior = std::exchange(me.tool.task, &next);
  const bool yields = std::exchange(me.tool.yields, false);
  if (prior != nullptr) call_schedule(*prior, yields ? ompt_task_yield : ompt_task_switch, &next);
}

void call_dependences(Task& task, std::span<const Dependence> dependences) {
  std::vector<ompt_dependence_t> all(dependences.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].variable.ptr = const_cast<void*>(static_cast<const void*>(dependences[i].address));
    all[i].dependence_type = type_of(dependences[i]);
  }
  call_tool<ompt_callback_dependences_t>(ompt_callback_dependences, &tool_task(task).data, all.data(),
                                         static_cast<int>(all.size()));
}

// -- implicit tasks

// Of an implicit task its team's size and its number, of a league's initial task the league's; a program's
// initial task has the number 1 (OpenMP 5.2, section 19.5.2.11).
// The team of one that has ended may be the next region's already.
bool is_initial(const Member& place) {
  return (place.implicit_task.tool.flags & ompt_task_initial) != 0;
}
unsigned threads_around(const Member& place) {
  return static_cast<unsigned>(is_initial(place) ? place.team->league.size : place.team_size);
}
unsigned index_of(const Member& place) {
  if (!is_initial(place)) return static_cast<unsigned>(place.number);
  return place.team->is_league() ? static_cast<unsigned>(place.team->league.number) : 1;
}

// -- explicit tasks

// Whether the task is detached: its body has returned, and its event is not fulfilled yet.
bool is_detached(Task& task) {
  return task.is_detachable() && tool_task(task).first_end.returns();
}

// Its body, or a part of it, has returned.
void returned(Task& task, Task& below) {
  Member& me = this_member();
  ompt_task_status_t status = ompt_task_complete;
  if ((task.flags & Task::kHasMoreParts) != 0)
    status = ompt_task_switch;
  else if ((task.flags & Task::kDiscarded) != 0 || is_discarded(*me.team, task))
    status = ompt_task_cancel;
  else if (is_detached(task))
    status = ompt_task_detach;
  me.tool.task = &below;
  call_schedule(task, status, &below);
  if (status == ompt_task_detach) tool_task(task).first_end.has_returned();
}

// By which frame the task below a task that begins has entered the runtime. The program creates an undeferred
// task, and the task begins, in the same call: one frame for both.
void* frame_below(const ToolTask& tool, void* here) {
  return (tool.flags & ompt_task_undeferred) != 0 ? tool.created_in : here;
}

// Not where an implicit task's code has ended, and it waits for the end of its region.
bool is_in_program(Task& task) {
  const ToolTask& tool = tool_task(task);
  return (tool.flags & ompt_task_implicit) == 0 || tool.frame.exit_frame.ptr != nullptr;
}

class ToolObserver final : public Observer {
 public:
  void thread_begins(Worker& worker, ompt_thread_t kind) override {
    worker.tool_data = ompt_data_none;
    worker.tool_state = kind == ompt_thread_initial ? ompt_state_work_serial : ompt_state_overhead;
    call_tool<ompt_callback_thread_begin_t>(ompt_callback_thread_begin, kind, &worker.tool_data);
  }
  void thread_ends(Worker& worker) override {
    call_tool<ompt_callback_thread_end_t>(ompt_callback_thread_end, &worker.tool_data);
  }

  void region_begins(Member& outer, Team& team, const RegionRequest& request) override {
    team.tool_data = ompt_data_none;
    team.tool_where = request.where.address;
    team.tool_flags = request.flags;
    ToolTask& task = tool_task(*outer.context.task);
    task.frame.enter_frame.ptr = request.frame;
    call_tool<ompt_callback_parallel_begin_t>(
        ompt_callback_parallel_begin, &task.data, &task.frame, &team.tool_data,
        static_cast<unsigned>(request.requested > 0 ? request.requested : team.size), request.flags,
        request.where.address);
  }
  void region_ends(Member& outer, Team& team) override {
    ToolTask& task = tool_task(*outer.context.task);
    call_tool<ompt_callback_parallel_end_t>(ompt_callback_parallel_end, &team.tool_data, &task.data,
                                            team.tool_flags, team.tool_where);
    task.frame.enter_frame = ompt_data_none;
  }
  void implicit_task_begins(Member& place) override {
    Team& team = *place.team;
    ImplicitTask& task = place.implicit_task;
    const bool begins_initial = team.encountering == nullptr || team.is_league();
    task.tool.flags = begins_initial ? ompt_task_initial : ompt_task_implicit;
    if (!begins_initial && team.size == 1) task.tool.flags |= ompt_task_undeferred;
    place.tool.task = &task;
    task.tool.state = begins_initial ? ompt_state_work_serial : ompt_state_work_parallel;
    if (team.encountering == nullptr) team.tool_data = ompt_data_none;
    call_tool<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, ompt_scope_begin, &team.tool_data,
                                             &task.tool.data, threads_around(place), index_of(place),
                                             task.tool.flags);
  }
  // The constructs of which the program has not said that they have ended do now.
  void region_code_ends(Member& place) override {
    end_single(place);
    end_loop(place, {});  // that was cancelled
  }
  void implicit_task_ends(Member& place) override {
    ImplicitTask& task = place.implicit_task;
    // The standard wants null at the end (OpenMP 5.2, section 19.5.2.11). Of a program's initial task LLVM's
    // runtime gives the region all the same, and tools free what they keep of it.
    ompt_data_t* const region = place.team->encountering == nullptr ? &place.team->tool_data : nullptr;
    call_tool<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, ompt_scope_end, region,
                                             &task.tool.data, is_initial(place) ? 0 : threads_around(place),
                                             index_of(place), task.tool.flags);
    task.tool.flags = 0;  // it is over
    place.worker->tool_state = place.number == 0 ? ompt_state_overhead : ompt_state_idle;
  }

  void task_made(Task& task, const void* code) override { (new (&tool_task(task)) ToolTask)->code = code; }
  void task_created(Task& task, const TaskCreation& creation) override {
    ToolTask& tool = tool_task(task);
    tool.flags = creation.is_taskwait ? ompt_task_taskwait : ompt_task_explicit;
    // A graph's tasks are queued, whatever the team is.
    const bool is_single = this_member().team_size == 1 && task.kind != Task::kRecorded;
    if (creation.is_undeferred || is_single) tool.flags |= ompt_task_undeferred;
    if (task.is_untied()) tool.flags |= ompt_task_untied;
    if (task.is_final()) tool.flags |= ompt_task_final;
    if (creation.is_mergeable) tool.flags |= ompt_task_mergeable;
    if (creation.code != nullptr) tool.code = creation.code;
    tool.chunk = creation.chunk;
    Task& creating = *task.parent;
    ToolTask& creator = tool_task(creating);
    const bool has_entered = enter_runtime(creating, __builtin_frame_address(0));
    tool.created_in = creator.frame.enter_frame.ptr;
    call_tool<ompt_callback_task_create_t>(ompt_callback_task_create, &creator.data, &creator.frame,
                                           &tool.data, tool.flags, creation.dependences.empty() ? 0 : 1,
                                           creation.where.address);
    if (!creation.dependences.empty()) call_dependences(task, creation.dependences);
    if (has_entered) leave_runtime(creating);
  }
  void task_is_internal(Task& task) override { tool_task(task).is_internal = true; }
  void task_begins(Task& task, Task& below) override {
    Member& me = this_member();
    ToolTask& tool = tool_task(task);
    tool.below = &below;
    tool.has_entered_below =
        is_in_program(below) && enter_runtime(below, frame_below(tool, __builtin_frame_address(0)));
    make_known(task);
    switch_to(me, task);
    if ((task.flags & Task::kDiscarded) != 0)
      cancelled(ompt_cancel_taskgroup | ompt_cancel_discarded_task, {});
    begin_chunk(tool);
  }
  void task_ends(Task& task, Task& below) override {
    const ToolTask& tool = tool_task(task);
    const bool has_entered = tool.has_entered_below;  // an event may end the task as soon as it has returned
    returned(task, below);
    if (has_entered) leave_runtime(below);
  }
  void undeferred_task_begins(Task& task) override {
    ToolTask& tool = tool_task(task);
    tool.below = task.parent;
    tool.has_entered_below = enter_runtime(*task.parent, frame_below(tool, __builtin_frame_address(0)));
    if (tool.is_internal) return;
    make_known(task);
    if ((tool.flags & ompt_task_taskwait) != 0) return;
    switch_to(this_member(), task);
    begin_chunk(tool);
  }
  void undeferred_task_ends(Task& task) override {
    const ToolTask& tool = tool_task(task);
    const bool has_entered = tool.has_entered_below;
    if ((tool.flags & ompt_task_taskwait) != 0)
      call_schedule(task, ompt_taskwait_complete, nullptr);
    else if (!tool.is_internal)
      returned(task, *task.parent);
    if (has_entered) leave_runtime(*task.parent);
  }
  void dependence_found(Task& predecessor, Task& successor) override {
    call_tool<ompt_callback_task_dependence_t>(ompt_callback_task_dependence, &tool_task(predecessor).data,
                                               &tool_task(successor).data);
  }
  void task_yields() override { this_member().tool.yields = true; }
  void task_suspends(Suspension& suspension) override {
    Member& me = suspension.member;
    const heddle_callback_suspend_t callback = g_suspend_callback.seen();
    if (callback != nullptr)
      callback(&tool_task(*suspension.context.task).data, suspend_reason(suspension.reason));
    switch_to(me, me.implicit_task);
  }
  void task_resumes() override {
    Member& me = this_member();
    me.tool.yields = false;
    switch_to(me, *me.context.task);
  }

  void event_fulfilled(Task& task) override {
    const bool is_early = tool_task(task).first_end.fulfilled(kSpinOn);
    call_schedule(task, is_early ? ompt_task_early_fulfill : ompt_task_late_fulfill, nullptr);
  }

  void sync_region_begins(SyncRegion& region) override {
    Member& me = this_member();
    const ompt_sync_region_t kind = region.kind;
    if (kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup) end_single(me);
    region.task = me.context.task;
    // A thread that is not the primary one knows no code behind its region.
    if (kind == ompt_sync_region_barrier_implicit_parallel && me.number != 0) region.where = {};
    if (kind != ompt_sync_region_barrier_implicit_parallel)  // there the program's code has ended
      enter_runtime(*region.task, __builtin_frame_address(0));
    if (kind != ompt_sync_region_taskgroup)  // which has begun
      call_sync(ompt_callback_sync_region, kind, ompt_scope_begin, *region.task, region.where);
    call_sync(ompt_callback_sync_region_wait, kind, ompt_scope_begin, *region.task, region.where);
    region.state_before = std::exchange(tool_task(*region.task).state, state_of_sync(kind));
  }
  void sync_region_ends(SyncRegion& region) override {
    Member& me = this_member();  // its task may have changed the thread
    tool_task(*region.task).state = region.state_before;
    leave_runtime(*region.task);
    // Behind a region's last barrier the region is over, and its team may be the next one's already.
    const bool is_over = region.kind == ompt_sync_region_barrier_implicit_parallel;
    ompt_data_t* const parallel = is_over ? nullptr : &me.team->tool_data;
    for (const ompt_callbacks_t event : {ompt_callback_sync_region_wait, ompt_callback_sync_region})
      call_tool<ompt_callback_sync_region_t>(event, region.kind, ompt_scope_end, parallel,
                                             &tool_task(*region.task).data, region.where.address);
  }
  void taskgroup_begins(CallSite where) override {
    call_sync(ompt_callback_sync_region, ompt_sync_region_taskgroup, ompt_scope_begin,
              *this_member().context.task, where);
  }

  void work_begins(ompt_work_t kind, std::uint64_t count, CallSite where) override {
    if (kind != ompt_work_taskloop) end_single(this_member());
    call_work(kind, ompt_scope_begin, count, where);
  }
  void work_ends(ompt_work_t kind, std::uint64_t count, CallSite where) override {
    call_work(kind, ompt_scope_end, count, where);
  }
  void loop_begins(ompt_work_t kind, std::uint64_t iterations, CallSite where) override {
    this_member().tool.work = kind;
    work_begins(kind, iterations, where);
  }
  void loop_ends(CallSite where) override { end_loop(this_member(), where); }
  void chunk_begins(std::uint64_t start, std::uint64_t iterations) override {
    ompt_dispatch_chunk_t chunk{start, iterations};
    ompt_data_t instance;
    instance.ptr = &chunk;
    call_dispatch(ompt_dispatch_ws_loop_chunk, instance);
  }
  void section_begins(CallSite where) override {
    ompt_data_t instance;
    instance.ptr = const_cast<void*>(where.address);
    call_dispatch(ompt_dispatch_section, instance);
  }
  void single_begins(bool is_executor, CallSite where) override {
    const ompt_work_t kind = is_executor ? ompt_work_single_executor : ompt_work_single_other;
    work_begins(kind, 1, where);
    if (is_executor)
      this_member().tool.single = where.address;
    else
      work_ends(kind, 1, where);
  }
  void single_ends() override { end_single(this_member()); }
  void masked(ompt_scope_endpoint_t endpoint, CallSite where) override {
    call_tool<ompt_callback_masked_t>(ompt_callback_masked, endpoint, &this_member().team->tool_data,
                                      current_task_data(), where.address);
  }
  void reduction(ompt_scope_endpoint_t endpoint, CallSite where) override {
    call_sync(ompt_callback_reduction, ompt_sync_region_reduction, endpoint, *this_member().context.task,
              where);
  }
  void iteration(const std::int64_t* values, std::size_t loops, ompt_dependence_type_t type) override {
    std::vector<ompt_dependence_t> all(loops);
    for (std::size_t i = 0; i < loops; ++i) {
      all[i].variable.value = static_cast<std::uint64_t>(values[i]);
      all[i].dependence_type = type;
    }
    call_tool<ompt_callback_dependences_t>(ompt_callback_dependences, current_task_data(), all.data(),
                                           static_cast<int>(all.size()));
  }
  void cancelled(int flags, CallSite where) override {
    call_tool<ompt_callback_cancel_t>(ompt_callback_cancel, current_task_data(), flags, where.address);
  }
  void flush(CallSite where) override {
    call_tool<ompt_callback_flush_t>(ompt_callback_flush, &this_worker().tool_data, where.address);
  }
  void error(ompt_severity_t severity, const std::string& message, const void* where) override {
    call_tool<ompt_callback_error_t>(ompt_callback_error, severity, message.c_str(), message.size(), where);
  }

  void lock_made(ompt_mutex_t kind, unsigned hint, const void* lock, CallSite where) override {
    call_tool<ompt_callback_mutex_acquire_t>(ompt_callback_lock_init, kind, hint, kMutexImplementation,
                                             wait_id_of(lock), where.address);
  }
  void lock_destroyed(ompt_mutex_t kind, const void* lock, CallSite where) override {
    call_tool<ompt_callback_mutex_t>(ompt_callback_lock_destroy, kind, wait_id_of(lock), where.address);
  }
  void mutex_wanted(ompt_mutex_t kind, const void* lock, CallSite where) override {
    call_tool<ompt_callback_mutex_acquire_t>(ompt_callback_mutex_acquire, kind, 0U, kMutexImplementation,
                                             wait_id_of(lock), where.address);
    if (only_tests(kind)) return;
    ToolTask& task = tool_task(*this_member().context.task);
    task.wait_id = wait_id_of(lock);
    task.state_unlocked = std::exchange(task.state, state_of_mutex(kind));
  }
  void mutex_taken(ompt_mutex_t kind, const void* lock, CallSite where) override {
    if (!only_tests(kind)) end_lock_wait();
    call_tool<ompt_callback_mutex_t>(ompt_callback_mutex_acquired, kind, wait_id_of(lock), where.address);
  }
  void mutex_released(ompt_mutex_t kind, const void* lock, CallSite where) override {
    call_tool<ompt_callback_mutex_t>(ompt_callback_mutex_released, kind, wait_id_of(lock), where.address);
  }
  void nest_lock(ompt_scope_endpoint_t endpoint, const void* lock, CallSite where) override {
    if (endpoint == ompt_scope_begin) end_lock_wait();
    call_tool<ompt_callback_nest_lock_t>(ompt_callback_nest_lock, endpoint, wait_id_of(lock), where.address);
  }

 private:
  static void end_single(Member& me) {
    if (const void* const where = std::exchange(me.tool.single, nullptr))
      call_work(ompt_work_single_executor, ompt_scope_end, 1, {where});
  }
  static void end_loop(Member& me, CallSite where) {
    if (const int kind = std::exchange(me.tool.work, 0))
      call_work(static_cast<ompt_work_t>(kind), ompt_scope_end, 0, where);
  }
  static void end_lock_wait() {
    ToolTask& task = tool_task(*this_member().context.task);
    if (std::exchange(task.wait_id, 0) != 0) task.state = task.state_unlocked;
  }
  static void begin_chunk(const ToolTask& tool) {
    if (tool.chunk.iterations == 0) return;
    ompt_dispatch_chunk_t chunk = tool.chunk;
    ompt_data_t instance;
    instance.ptr = &chunk;
    call_dispatch(ompt_dispatch_taskloop_chunk, instance);
  }
  // Of constructs that say nothing of their tasks, as those for devices.
  void make_known(Task& task) {
    if (tool_task(task).flags != 0) return;
    TaskCreation creation;
    creation.is_undeferred = task.is_undeferred();
    const Pushed creator(this_member().context.task, task.parent);  // what the tool asks concerns it
    task_created(task, creation);
  }
};

constinit ToolObserver g_tool_observer;

}  // namespace

Observer& tool_observer() {
  return g_tool_observer;
}

void observe_from_now(Worker& worker) {
  Member& place = worker.initial_team->members[0];
  place.is_observed = true;
  g_tool_observer.thread_begins(worker, ompt_thread_initial);
  g_tool_observer.implicit_task_begins(place);
}

void end_program(Worker& worker) {
  if (std::exchange(worker.tool_is_over, true)) return;
  Member* const place = worker.member;
  if (place != nullptr && place->context.task == &place->implicit_task && is_initial(*place)) {
    g_tool_observer.region_code_ends(*place);
    g_tool_observer.implicit_task_ends(*place);
  }
  g_tool_observer.thread_ends(worker);
}

}  // namespace heddle::ompt
