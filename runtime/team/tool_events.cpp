#include "team/tool_events.hpp"

#include <utility>
#include <vector>

namespace heddle {
namespace {

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

void tell_sync(ompt_callbacks_t event, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, Member& me,
               Task& task, CallSite where) {
  tell_tool<ompt_callback_sync_region_t>(event, kind, endpoint, &me.team->tool_data, &tool_task(task).data,
                                         where.address);
}

}  // namespace

void tell_thread_begins(Worker& worker, ompt_thread_t kind) {
  worker.tool_data = ompt_data_none;
  worker.tool_state = kind == ompt_thread_initial ? ompt_state_work_serial : ompt_state_overhead;
  tell_tool<ompt_callback_thread_begin_t>(ompt_callback_thread_begin, kind, &worker.tool_data);
}

void tell_thread_ends(Worker& worker) {
  tell_tool<ompt_callback_thread_end_t>(ompt_callback_thread_end, &worker.tool_data);
}

void tell_region_begins(Member& outer, Team& team, const ToldRegion& told) {
  team.tool_data = ompt_data_none;
  team.tool_where = told.where.address;
  team.tool_flags = told.flags;
  ToolTask& task = tool_task(*outer.context.task);
  task.frame.enter_frame.ptr = told.frame;
  tell_tool<ompt_callback_parallel_begin_t>(
      ompt_callback_parallel_begin, &task.data, &task.frame, &team.tool_data,
      static_cast<unsigned>(told.requested > 0 ? told.requested : team.size), told.flags, told.where.address);
}

void tell_region_ends(Member& outer, Team& team) {
  ToolTask& task = tool_task(*outer.context.task);
  outer.worker->tool_state = outer.team->level > 0 ? ompt_state_work_parallel : ompt_state_work_serial;
  tell_tool<ompt_callback_parallel_end_t>(ompt_callback_parallel_end, &team.tool_data, &task.data,
                                          team.tool_flags, team.tool_where);
  task.frame.enter_frame = ompt_data_none;
}

void tell_end_of_program(Worker& worker) {
  if (std::exchange(worker.tool_is_over, true)) return;
  Member* const place = worker.member;
  if (place != nullptr && place->context.task == &place->implicit_task &&
      (place->implicit_task.tool.flags & ompt_task_initial) != 0) {
    tell_code_ends(*place);
    tell_implicit_task_ends(*place);
  }
  tell_thread_ends(worker);
}

namespace {

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

}  // namespace

void tell_implicit_task_begins(Member& place) {
  Team& team = *place.team;
  ImplicitTask& task = place.implicit_task;
  const bool begins_initial = team.encountering == nullptr || team.is_league();
  task.tool.flags = begins_initial ? ompt_task_initial : ompt_task_implicit;
  if (!begins_initial && team.size == 1) task.tool.flags |= ompt_task_undeferred;
  place.told.task = &task;
  Worker& worker = *place.worker;
  worker.tool_state = begins_initial ? ompt_state_work_serial : ompt_state_work_parallel;
  if (team.encountering == nullptr) team.tool_data = ompt_data_none;
  tell_tool<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, ompt_scope_begin, &team.tool_data,
                                           &task.tool.data, threads_around(place), index_of(place),
                                           task.tool.flags);
}

void tell_code_ends(Member& place) {
  tell_single_ends(place);
  tell_loop_ends(place, {});  // that was cancelled
}

void tell_implicit_task_ends(Member& place) {
  ImplicitTask& task = place.implicit_task;
  // The standard wants null at the end (OpenMP 5.2, section 19.5.2.11). Of a program's initial task LLVM's
  // runtime gives the region all the same, and tools free what they keep of it.
  ompt_data_t* const region = place.team->encountering == nullptr ? &place.team->tool_data : nullptr;
  tell_tool<ompt_callback_implicit_task_t>(ompt_callback_implicit_task, ompt_scope_end, region,
                                           &task.tool.data, is_initial(place) ? 0 : threads_around(place),
                                           index_of(place), task.tool.flags);
  task.tool.flags = 0;  // it is over
  place.worker->tool_state = place.number == 0 ? ompt_state_overhead : ompt_state_idle;
}

void tell_schedule(Task& prior, ompt_task_status_t status, Task* next) {
  tell_tool<ompt_callback_task_schedule_t>(ompt_callback_task_schedule, &tool_task(prior).data, status,
                                           next != nullptr ? &tool_task(*next).data : nullptr);
}

void tell_goes_on(Member& me, Task& next) {
  if (!has_tool() || me.told.task == &next) return;
  Task* const prior = std::exchange(me.told.task, &next);
  const bool yields = std::exchange(me.told.yields, false);
  if (prior != nullptr) tell_schedule(*prior, yields ? ompt_task_yield : ompt_task_switch, &next);
}

void tell_suspends(Task& task, WaitsFor reason) {
  // acquire: pairs with the release where it is set
  const heddle_callback_suspend_t callback = g_suspend_callback.load(std::memory_order_acquire);
  if (callback != nullptr) callback(&tool_task(task).data, suspend_reason(reason));
}

void tell_taskgroup_begins(Member& me, CallSite where) {
  tell_sync(ompt_callback_sync_region, ompt_sync_region_taskgroup, ompt_scope_begin, me, *me.context.task,
            where);
}

void ToolSync::begin(Member& me, ompt_sync_region_t kind, CallSite where) {
  if (kind != ompt_sync_region_taskwait && kind != ompt_sync_region_taskgroup) tell_single_ends(me);
  task_ = me.context.task;
  kind_ = kind;
  // Who is no primary thread knows no code behind its region.
  where_ = kind == ompt_sync_region_barrier_implicit_parallel && me.number != 0 ? CallSite{} : where;
  if (kind != ompt_sync_region_barrier_implicit_parallel)  // there the program's code has ended
    enter_runtime(*task_, __builtin_frame_address(0));
  if (kind != ompt_sync_region_taskgroup)  // which has begun
    tell_sync(ompt_callback_sync_region, kind, ompt_scope_begin, me, *task_, where_);
  tell_sync(ompt_callback_sync_region_wait, kind, ompt_scope_begin, me, *task_, where_);
  state_before_ = me.worker->tool_state;
  me.worker->tool_state = state_of_sync(kind);
}

void ToolSync::end() {
  Member& me = this_member();  // its task may have changed the thread
  me.worker->tool_state = state_before_;
  leave_runtime(*task_);
  // Behind a region's last barrier the region is over, and its team may be the next one's already.
  const bool is_over = kind_ == ompt_sync_region_barrier_implicit_parallel;
  ompt_data_t* const parallel = is_over ? nullptr : &me.team->tool_data;
  for (const ompt_callbacks_t event : {ompt_callback_sync_region_wait, ompt_callback_sync_region})
    tell_tool<ompt_callback_sync_region_t>(event, kind_, ompt_scope_end, parallel, &tool_task(*task_).data,
                                           where_.address);
}

void tell_work(Member& me, ompt_work_t kind, ompt_scope_endpoint_t endpoint, std::uint64_t count,
               CallSite where) {
  if (endpoint == ompt_scope_begin && kind != ompt_work_taskloop) tell_single_ends(me);
  tell_tool<ompt_callback_work_t>(ompt_callback_work, kind, endpoint, &me.team->tool_data,
                                  &tool_task(*me.context.task).data, count, where.address);
}

void tell_loop_begins(Member& me, ompt_work_t kind, std::uint64_t count, CallSite where) {
  me.told.work = kind;
  tell_work(me, kind, ompt_scope_begin, count, where);
}

void tell_loop_ends(Member& me, CallSite where) {
  if (const int kind = std::exchange(me.told.work, 0))
    tell_work(me, static_cast<ompt_work_t>(kind), ompt_scope_end, 0, where);
}

ompt_work_t loop_work_of(ScheduleKind kind) {
  switch (kind) {
    case ScheduleKind::kStatic:
    case ScheduleKind::kAuto:
      return ompt_work_loop_static;
    case ScheduleKind::kDynamic:
      return ompt_work_loop_dynamic;
    case ScheduleKind::kGuided:
      return ompt_work_loop_guided;
    default:
      return ompt_work_loop_other;
  }
}

void tell_single(Member& me, bool is_executor, CallSite where) {
  const ompt_work_t kind = is_executor ? ompt_work_single_executor : ompt_work_single_other;
  tell_work(me, kind, ompt_scope_begin, 1, where);
  if (is_executor)
    me.told.single = where.address;
  else
    tell_work(me, kind, ompt_scope_end, 1, where);
}

void tell_single_ends(Member& me) {
  if (const void* const where = std::exchange(me.told.single, nullptr))
    tell_work(me, ompt_work_single_executor, ompt_scope_end, 1, {where});
}

void tell_masked(Member& me, ompt_scope_endpoint_t endpoint, CallSite where) {
  tell_tool<ompt_callback_masked_t>(ompt_callback_masked, endpoint, &me.team->tool_data,
                                    &tool_task(*me.context.task).data, where.address);
}

void tell_reduction(Member& me, ompt_scope_endpoint_t endpoint, CallSite where) {
  tell_sync(ompt_callback_reduction, ompt_sync_region_reduction, endpoint, me, *me.context.task, where);
}

void tell_flush(CallSite where) {
  tell_tool<ompt_callback_flush_t>(ompt_callback_flush, &this_worker().tool_data, where.address);
}

void tell_iteration(Member& me, const std::int64_t* iteration, std::size_t loops,
                    ompt_dependence_type_t type) {
  std::vector<ompt_dependence_t> all(loops);
  for (std::size_t i = 0; i < loops; ++i) {
    all[i].variable.value = static_cast<std::uint64_t>(iteration[i]);
    all[i].dependence_type = type;
  }
  tell_tool<ompt_callback_dependences_t>(ompt_callback_dependences, &tool_task(*me.context.task).data,
                                         all.data(), static_cast<int>(all.size()));
}

void tell_cancel(Member& me, int flags, CallSite where) {
  tell_tool<ompt_callback_cancel_t>(ompt_callback_cancel, &tool_task(*me.context.task).data, flags,
                                    where.address);
}

namespace {

void tell_dispatch(Member& me, ompt_dispatch_t kind, ompt_data_t instance) {
  tell_tool<ompt_callback_dispatch_t>(ompt_callback_dispatch, &me.team->tool_data,
                                      &tool_task(*me.context.task).data, kind, instance);
}

}  // namespace

void tell_chunk(Member& me, std::uint64_t start, std::uint64_t iterations) {
  ompt_dispatch_chunk_t chunk{start, iterations};
  ompt_data_t instance;
  instance.ptr = &chunk;
  tell_dispatch(me, ompt_dispatch_ws_loop_chunk, instance);
}

void tell_taskloop_chunk(Member& me, ompt_dispatch_chunk_t chunk) {
  ompt_data_t instance;
  instance.ptr = &chunk;
  tell_dispatch(me, ompt_dispatch_taskloop_chunk, instance);
}

void tell_section(Member& me, CallSite where) {
  ompt_data_t instance;
  instance.ptr = const_cast<void*>(where.address);
  tell_dispatch(me, ompt_dispatch_section, instance);
}

void tell_lock_init(ompt_mutex_t kind, unsigned hint, const void* lock, CallSite where) {
  tell_tool<ompt_callback_mutex_acquire_t>(ompt_callback_lock_init, kind, hint, kMutexImplementation,
                                           reinterpret_cast<ompt_wait_id_t>(lock), where.address);
}
void tell_lock_destroy(ompt_mutex_t kind, const void* lock, CallSite where) {
  tell_tool<ompt_callback_mutex_t>(ompt_callback_lock_destroy, kind, reinterpret_cast<ompt_wait_id_t>(lock),
                                   where.address);
}
void tell_nest_lock(ompt_scope_endpoint_t endpoint, const void* lock, CallSite where) {
  tell_tool<ompt_callback_nest_lock_t>(ompt_callback_nest_lock, endpoint,
                                       reinterpret_cast<ompt_wait_id_t>(lock), where.address);
}

void tell_mutex_acquire(Member&, ompt_mutex_t kind, const void* lock, CallSite where) {
  tell_tool<ompt_callback_mutex_acquire_t>(ompt_callback_mutex_acquire, kind, 0U, kMutexImplementation,
                                           reinterpret_cast<ompt_wait_id_t>(lock), where.address);
}

void tell_mutex_acquired(Member&, ompt_mutex_t kind, const void* lock, CallSite where) {
  tell_tool<ompt_callback_mutex_t>(ompt_callback_mutex_acquired, kind, reinterpret_cast<ompt_wait_id_t>(lock),
                                   where.address);
}

ompt_state_t begin_lock_wait(ompt_mutex_t kind, const void* lock) {
  Worker& worker = this_worker();
  worker.tool_wait_id = reinterpret_cast<ompt_wait_id_t>(lock);
  return std::exchange(worker.tool_state, state_of_mutex(kind));
}
void end_lock_wait(ompt_state_t before) {
  Worker& worker = this_worker();  // the task may have changed the thread
  worker.tool_wait_id = 0;
  worker.tool_state = before;
}

void tell_mutex_released(ompt_mutex_t kind, const void* lock, CallSite where) {
  tell_tool<ompt_callback_mutex_t>(ompt_callback_mutex_released, kind, reinterpret_cast<ompt_wait_id_t>(lock),
                                   where.address);
}

}  // namespace heddle
