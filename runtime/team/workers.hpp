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

/// Ends the calling thread's spare threads and all that are idle; the next region starts new ones.
/// Errors: returns false, and ends none, where the calling thread is inside a parallel region.
/// Ensures: threads that serve another thread's teams stay.
bool release_threads();

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

/// What a worker does for a team until it is dismissed (fork_join.cpp).
void serve(Worker& worker, Member& place);

/// Sends a team's workers away and waits until nobody touches the team any more (fork_join.cpp).
void dismiss(Team& team);

/// The place where a worker executes spawned tasks, in a team of one that is nobody's region (fork_join.cpp).
Member& spawn_place(Worker& worker);
/// Whether anything is left to be done there by its worker.
bool has_work_in_spawn_place(const Member& place);
/// Executes there what is left to be done, and drops it. Requires: the worker is in no region.
void leave_spawn_place(Worker& worker);

/// The team of one that a program's own thread is in outside all parallel regions (fork_join.cpp).
void open_initial_team(Worker& worker);
/// The end of the implicit region around the program (OpenMP 5.2, section 1.3), as far as the worker's thread
/// is concerned: what is left of the tasks that it created outside all parallel regions is executed. Without
/// effect where the thread ends inside a region or a task, whose tasks nobody can wait for.
/// Requires: the worker is the calling thread's. OpenMP may be used afterwards.
void end_initial_region(Worker& worker);

}  // namespace heddle
