// What a tool is told of threads, regions and the waits of their tasks.
//
// Invariant: without a tool each of these costs one load and a branch. Nothing here is on a task's way from
// its creation to its end; that is tasking/observed.hpp.
#pragma once

#include "team/team.hpp"
#include "trace/tool.hpp"

namespace heddle {

/// Where a construct stands in the program, for those who tell of it: what its entry point returns to.
struct CallSite {
  const void* address = nullptr;
};
#define HEDDLE_CALL_SITE() (::heddle::CallSite{__builtin_return_address(0)})

/// What an entry point knows of the region that it opens: for a tool, but for the last.
struct ToldRegion {
  CallSite where;
  void* frame = nullptr;  // the entry point's own
  int requested = 0;      // threads; 0: as many as there are
  int flags = ompt_parallel_invoker_runtime | ompt_parallel_team;
  bool passes_fp_modes_on = false;  // to its threads, unless a setting says otherwise
};
#define HEDDLE_TOLD_REGION() (::heddle::ToldRegion{HEDDLE_CALL_SITE(), __builtin_frame_address(0)})

/// The tool is about to be finalised, by the thread of this worker: it is told the ends that it has not been
/// told.
void tell_end_of_program(Worker& worker);

/// The frame by which a task's code has called the runtime, as long as it is there: the outermost, where one
/// call leads to another.
inline bool enter_runtime(Task& task, void* frame) {
  ompt_frame_t& known = tool_task(task).frame;
  if (known.enter_frame.ptr != nullptr) return false;
  known.enter_frame.ptr = frame;
  return true;
}
inline void leave_runtime(Task& task) {
  tool_task(task).frame.enter_frame = ompt_data_none;
}

void tell_thread_begins(Worker& worker, ompt_thread_t kind);
void tell_thread_ends(Worker& worker);

/// A parallel region: between the two the implicit tasks of its team begin and end.
void tell_region_begins(Member& outer, Team& team, const ToldRegion& told);
void tell_region_ends(Member& outer, Team& team);

void tell_implicit_task_begins(Member& place);
/// Before the barrier at the region's end: constructs of which the program has not said that they have ended.
void tell_code_ends(Member& place);
/// After that barrier, when the team may be the next region's already.
void tell_implicit_task_ends(Member& place);

/// prior: left by the thread, with this status, for next; null where it is not left for anything.
void tell_schedule(Task& prior, ompt_task_status_t status, Task* next);
/// Tells a tool that a thread goes on with another task than it knows of, if it does. Where no tool is
/// active: without effect.
void tell_goes_on(Member& me, Task& next);

/// The task is about to leave its thread, with its stack.
void tell_suspends(Task& task, WaitsFor reason);

/// The begin of a taskgroup; ToolSync stands for its end.
void tell_taskgroup_begins(Member& me, CallSite where);

/// A barrier, taskwait or the end of a taskgroup of the current task: begins and ends with this object, and
/// so does its wait.
class ToolSync {
 public:
  ToolSync(Member& me, ompt_sync_region_t kind, CallSite where) {
    if (has_tool()) [[unlikely]]
      begin(me, kind, where);
  }
  ~ToolSync() {
    if (task_ != nullptr) [[unlikely]]
      end();
  }
  ToolSync(const ToolSync&) = delete;
  ToolSync& operator=(const ToolSync&) = delete;

 private:
  void begin(Member& me, ompt_sync_region_t kind, CallSite where);
  void end();

  Task* task_ = nullptr;
  ompt_sync_region_t kind_{};
  CallSite where_;
  ompt_state_t state_before_{};
};

/// A region of the current task that has a begin and an end: a worksharing construct, one kind of work.
void tell_work(Member& me, ompt_work_t kind, ompt_scope_endpoint_t endpoint, std::uint64_t count,
               CallSite where);
/// A worksharing loop or sections that the member enters, and leaves: harmless where it is in none.
void tell_loop_begins(Member& me, ompt_work_t kind, std::uint64_t count, CallSite where);
void tell_loop_ends(Member& me, CallSite where);
ompt_work_t loop_work_of(ScheduleKind kind);
/// A single construct: that the executor begins its work, or that another one passes it by.
void tell_single(Member& me, bool is_executor, CallSite where);
/// The executor has done it. GCC calls nothing there: then the next barrier, worksharing construct or end of
/// the implicit task says so.
void tell_single_ends(Member& me);
void tell_masked(Member& me, ompt_scope_endpoint_t endpoint, CallSite where);

void tell_reduction(Member& me, ompt_scope_endpoint_t endpoint, CallSite where);
void tell_flush(CallSite where);
/// Of a doacross loop nest: the iteration is posted (source), or waited for (sink), one value a loop.
void tell_iteration(Member& me, const std::int64_t* iteration, std::size_t loops,
                    ompt_dependence_type_t type);
/// flags: ompt_cancel_flag_t.
void tell_cancel(Member& me, int flags, CallSite where);
/// A chunk of a worksharing loop is handed out, or a section.
void tell_chunk(Member& me, std::uint64_t start, std::uint64_t iterations);
void tell_section(Member& me, CallSite where);
/// A task begins to execute a chunk of a taskloop.
void tell_taskloop_chunk(Member& me, ompt_dispatch_chunk_t chunk);
/// A lock is made or destroyed; a nested one was taken once more, or given back but once.
void tell_lock_init(ompt_mutex_t kind, unsigned hint, const void* lock, CallSite where);
void tell_lock_destroy(ompt_mutex_t kind, const void* lock, CallSite where);
void tell_nest_lock(ompt_scope_endpoint_t endpoint, const void* lock, CallSite where);

/// How locks are implemented here: what ompt_enumerate_mutex_impls() names.
inline constexpr unsigned kMutexImplementation = 1;

/// Around what takes a lock: told that it wants it now, that it has it, that it has given it back. wait_id:
/// the address of the lock.
void tell_mutex_acquire(Member& me, ompt_mutex_t kind, const void* lock, CallSite where);
void tell_mutex_acquired(Member& me, ompt_mutex_t kind, const void* lock, CallSite where);
void tell_mutex_released(ompt_mutex_t kind, const void* lock, CallSite where);

/// Around a wait for a lock: what ompt_get_state() says. The first returns what it said before.
ompt_state_t begin_lock_wait(ompt_mutex_t kind, const void* lock);
void end_lock_wait(ompt_state_t before);

/// Takes a lock by take(), and tells.
template <class Take>
void take_and_tell(ompt_mutex_t kind, const void* lock, CallSite where, Take&& take) {
  if (!has_tool()) [[likely]]
    return take();
  tell_mutex_acquire(this_member(), kind, lock, where);
  const ompt_state_t before = begin_lock_wait(kind, lock);
  take();
  end_lock_wait(before);
  tell_mutex_acquired(this_member(), kind, lock, where);  // its task may have changed the thread
}

}  // namespace heddle
