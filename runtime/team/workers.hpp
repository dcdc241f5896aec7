// The threads this runtime knows: its own, idle or serving a team, and those of the program that called it.
//
// Invariant: a worker is registered once and lives until the process ends; a program's thread that ends
// leaves its worker for the next one. An idle worker of our own is on the idle list and waits for a
// call; one whose thread was released is on the spare list.
#pragma once

#include "team/team.hpp"

namespace heddle {

/// Gives `place` an idle worker, or a new one. Returns false where the system has no room for another thread.
bool assign_worker(Member& place);

/// The worker acts in that place from now on. Threads: the worker's.
void take_place(Worker& worker, Member& place);

/// The member's implicit task is the current one from now on, and nothing of the region before is left.
/// Requires: the region's team, of so many members, is ready.
void start_implicit_task(Member& place, int team_size, const RegionStart& start);
inline void start_implicit_task(Member& primary) {
  start_implicit_task(primary, primary.team->size, primary.team->start);
}

/// Ends the calling thread's spare threads and all that are idle; the next region starts new ones.
/// Errors: returns false, and ends none, where the calling thread is inside a parallel region.
/// Ensures: threads that serve another thread's teams stay.
bool release_threads();

/// Ends threads of ours as release_threads() does, from wherever it can, and waits so long for their ends.
void end_own_threads(std::int64_t patience_ns);

/// Threads of ours that there are now.
int own_threads();
/// Threads that are registered now, of the program or our own.
int known_threads();

/// Calls visit(place) for every place of a team that a thread serves now, outer teams' included. For reports:
/// the threads go on meanwhile.
void visit_places(void (*visit)(const Member&, void*), void* argument);

template <class Visit>
void for_each_place(Visit&& visit) {
  visit_places([](const Member& place, void* argument) { (*static_cast<Visit*>(argument))(place); }, &visit);
}

/// Returns when no visit is under way of places that their workers had left before the call: their team may
/// go.
void wait_for_visits();

/// What the room above does for workers, given once, before the first thread is one.
struct RegionCalls {
  /// What a worker does for a team until it is dismissed.
  void (*serve)(Worker& worker, Member& place);
  /// Sends a team's workers away and waits until nobody touches the team any more.
  void (*dismiss)(Team& team);
  /// The team of one that a program's own thread is in outside all parallel regions.
  void (*open_initial_team)(Worker& worker);
  /// The end of the implicit region around the program (OpenMP 5.2, section 1.3), as far as the worker's
  /// thread is concerned.
  void (*end_initial_region)(Worker& worker);
  /// Executes what spawned tasks have left to be done with this worker.
  void (*leave_spawn_place)(Worker& worker);
  /// In the child of a fork.
  void (*survive_fork)(Worker& worker);
};
void give_region_calls(const RegionCalls& calls);

}  // namespace heddle
