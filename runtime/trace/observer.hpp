// What happens in a program, for those that observe it.
//
// An event is a member function of Observer; observe(&Observer::task_ends, …) says that it happens, to each
// observer in turn. The observers are a tool of OpenMP's tools interface (abi/ompt/observer.cpp), an order of
// tasks that is chosen or logged (team/team.cpp), the watchdog (report/watchdog.cpp) and the log of
// decisions (report/policy_log.cpp). They come before the program opens its first region; a tool may go
// earlier than the program. Without any of them an event costs one load and a branch.
//
// The thread of an event is the one that calls observe(): an observer finds its place by this_member().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <type_traits>

#include "include/heddle_tools.h"

#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"

namespace heddle {

class SyncRegion;
class WaitInPlace;
enum class Why : std::uint8_t;
struct Dependence;
struct Member;
struct Suspension;
struct Task;
struct Team;
struct Worker;

/// Where a construct stands in the program: what its entry point returns to.
struct CallSite {
  const void* address = nullptr;
};
#define HEDDLE_CALL_SITE() (::heddle::CallSite{__builtin_return_address(0)})

/// What an entry point knows of the region that it opens.
struct RegionRequest {
  CallSite where;
  void* frame = nullptr;  // the entry point's own
  int requested = 0;      // threads; 0: as many as there are
  int flags = ompt_parallel_invoker_runtime | ompt_parallel_team;
  bool passes_fp_modes_on = false;  // to its threads, unless a setting says otherwise
};
#define HEDDLE_REGION_REQUEST() (::heddle::RegionRequest{HEDDLE_CALL_SITE(), __builtin_frame_address(0)})

/// What a construct says of its task.
struct TaskCreation {
  CallSite where;  // of the construct
  std::span<const Dependence> dependences{};
  bool is_undeferred = false;  // by if(0), or because it is in a final task
  bool is_mergeable = false;
  bool is_taskwait = false;       // it stands for a taskwait with dependences
  const void* code = nullptr;     // the body's; null: new_task() was given it, or nobody knows
  ompt_dispatch_chunk_t chunk{};  // of a taskloop, that it executes; no iterations: none
};

class Observer {
 public:
  // -- threads
  virtual void thread_begins(Worker&, ompt_thread_t) {}
  virtual void thread_ends(Worker&) {}

  // -- parallel regions; `outer`: the member that meets the construct
  virtual void region_begins(Member& /*outer*/, Team&, const RegionRequest&) {}
  virtual void region_ends(Member& /*outer*/, Team&) {}
  virtual void implicit_task_begins(Member& /*place*/) {}
  virtual void region_code_ends(Member& /*place*/) {}    // the barrier at the region's end comes next
  virtual void implicit_task_ends(Member& /*place*/) {}  // the team may be the next region's already

  // -- explicit tasks: raised where Member::is_observed alone, but for the last four
  virtual void task_made(Task&, const void* /*code*/) {}  // its memory is there, its construct goes on
  virtual void task_created(Task&, const TaskCreation&) {}
  virtual void task_is_internal(Task&) {}              // no construct of the program's stands for it
  virtual void task_begins(Task&, Task& /*below*/) {}  // below: what the thread executes before and after
  virtual void task_ends(Task&, Task& /*below*/) {}    // its body has returned, or a part of it
  virtual void undeferred_task_begins(Task&) {}
  virtual void undeferred_task_ends(Task&) {}
  virtual void dependence_found(Task& /*predecessor*/, Task& /*successor*/) {}
  virtual void task_placed(const void* /*code*/, const Task*, Why) {}  // one of the two is null
  virtual void task_yields() {}
  virtual void task_suspends(Suspension&) {}
  virtual void task_resumes() {}

  // -- detachable tasks
  virtual void event_fulfilled(Task&) {}
  virtual void task_waits_for_event(Task&) {}  // its body has returned
  virtual void event_has_come(Task&) {}        // for a task that waits

  // -- barriers, taskwaits, taskgroups; see SyncRegion
  virtual void sync_region_begins(SyncRegion&) {}
  virtual void sync_region_ends(SyncRegion&) {}
  virtual void taskgroup_begins(CallSite) {}
  virtual void thread_waits(WaitInPlace&) {}  // it is about to sleep

  // -- worksharing, and what has a begin and an end like it
  virtual void work_begins(ompt_work_t, std::uint64_t /*count*/, CallSite) {}
  virtual void work_ends(ompt_work_t, std::uint64_t /*count*/, CallSite) {}
  virtual void loop_begins(ompt_work_t, std::uint64_t /*iterations*/, CallSite) {}
  virtual void loop_ends(CallSite) {}  // harmless where the member is in none
  virtual void chunk_begins(std::uint64_t /*start*/, std::uint64_t /*iterations*/) {}
  virtual void section_begins(CallSite) {}
  virtual void single_begins(bool /*is_executor*/, CallSite) {}
  // The executor has done it. GCC calls nothing there: then the next barrier, worksharing construct or end of
  // the implicit task says so.
  virtual void single_ends() {}
  virtual void masked(ompt_scope_endpoint_t, CallSite) {}
  virtual void reduction(ompt_scope_endpoint_t, CallSite) {}
  // Of a doacross loop nest: the iteration is posted (source), or waited for (sink), one value a loop.
  virtual void iteration(const std::int64_t*, std::size_t /*loops*/, ompt_dependence_type_t) {}
  virtual void cancelled(int /*ompt_cancel_flag_t*/, CallSite) {}
  virtual void flush(CallSite) {}
  virtual void error(ompt_severity_t, const std::string& /*message*/, const void* /*where*/) {}

  // -- locks, critical and ordered regions
  virtual void lock_made(ompt_mutex_t, unsigned /*hint*/, const void* /*lock*/, CallSite) {}
  virtual void lock_destroyed(ompt_mutex_t, const void* /*lock*/, CallSite) {}
  virtual void mutex_wanted(ompt_mutex_t, const void* /*lock*/, CallSite) {}
  virtual void mutex_taken(ompt_mutex_t, const void* /*lock*/, CallSite) {}
  virtual void mutex_released(ompt_mutex_t, const void* /*lock*/, CallSite) {}
  // A nestable lock that the task holds is taken once more, or released but once.
  virtual void nest_lock(ompt_scope_endpoint_t, const void* /*lock*/, CallSite) {}
  // Any lock of the program, reductions included, as its owner sees it.
  virtual void lock_owned(const void* /*lock*/, const void* /*where*/) {}
  virtual void lock_free(const void* /*lock*/) {}  // or made anew

 protected:
  ~Observer() = default;
};

inline constexpr std::size_t kMostObservers = 4;
inline constinit std::array<Published<Observer*>, kMostObservers> g_observers{};
inline constinit RelaxedAtomic<int> g_observer_count{0};

/// Requires: the program has opened no region yet; one of a kind, and kMostObservers in all.
inline void add_observer(Observer& observer) {
  for (auto& place : g_observers) {
    if (!place.replace(nullptr, &observer)) continue;
    g_observer_count.fetch_add(1);
    return;
  }
  std::abort();  // more observers than there are kinds
}
/// Without effect where it is none. Threads that are in an event of its go on in it.
inline void remove_observer(Observer& observer) {
  for (auto& place : g_observers)
    if (place.replace(&observer, nullptr)) g_observer_count.fetch_sub(1);
}

/// Whether there is any.
inline bool has_observers() {
  return g_observer_count.load() != 0;
}

template <class... Parameters>
[[gnu::cold, gnu::noinline]] void notify_observers(void (Observer::*event)(Parameters...),
                                                   std::type_identity_t<Parameters>... arguments) {
  for (const auto& place : g_observers)
    if (Observer* const observer = place.seen()) (observer->*event)(arguments...);
}

/// The event happens.
template <class... Parameters>
[[gnu::always_inline]] inline void observe(void (Observer::*event)(Parameters...),
                                           std::type_identity_t<Parameters>... arguments) {
  if (has_observers()) [[unlikely]]
    notify_observers<Parameters...>(event, arguments...);
}

/// A barrier, taskwait or the end of a taskgroup of the current task: begins and ends with this object, and
/// so does its wait.
class SyncRegion {
 public:
  SyncRegion(ompt_sync_region_t its_kind, CallSite its_place) : kind(its_kind), where(its_place) {
    observe(&Observer::sync_region_begins, *this);
  }
  ~SyncRegion() {
    if (task != nullptr) [[unlikely]]
      observe(&Observer::sync_region_ends, *this);
  }
  SyncRegion(const SyncRegion&) = delete;
  SyncRegion& operator=(const SyncRegion&) = delete;

  const ompt_sync_region_t kind;
  CallSite where;
  // A tool's: the task whose region it is, null where no tool knows of it; its state before.
  Task* task = nullptr;
  ompt_state_t state_before{};
};

/// Takes what `lock` stands for by take().
template <class Take>
void take_mutex(ompt_mutex_t kind, const void* lock, CallSite where, Take&& take) {
  observe(&Observer::mutex_wanted, kind, lock, where);
  take();
  observe(&Observer::mutex_taken, kind, lock, where);
}

}  // namespace heddle
