// Sharing the iterations of a loop among the threads of a team (OpenMP 5.2, section 11.5).
//
// Words: see sched/workshare.hpp.
#pragma once

#include <cstdint>

#include "sched/workshare.hpp"
#include "team/team.hpp"
#include "trace/observer.hpp"

namespace heddle {

struct Member;

/// What observers call a worksharing loop of a schedule.
inline ompt_work_t loop_work_of(ScheduleKind kind) {
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

/// Enters a loop of `trip` iterations. All threads of the team must enter with the same arguments.
void loop_enter(Member& me, Schedule schedule, std::uint64_t trip, bool is_ordered = false);

/// Hands out the next iterations to the calling thread. Returns false when there are none left for it, or the
/// loop is cancelled.
bool loop_next(Member& me, IterationRange* range);

/// Leaves the loop; no barrier. Harmless where the thread is in no loop.
void loop_leave(Member& me);

/// The calling thread's only range of a static schedule without chunk: at most one iteration more than any
/// other's.
IterationRange static_share(std::uint64_t trip, int number, int team_size);

/// First thread of the team to meet this single construct? True for exactly one (OpenMP 5.2, section 11.1).
bool single_claim(Member& me);

/// Enters a construct of another kind that needs shared state: the first thread calls make(argument) for it,
/// the last to leave dispose(result). Returns the workshare; its `shared` is what was made.
Workshare& workshare_enter(Member& me, void* (*make)(void* argument), void* argument, void (*dispose)(void*));
void workshare_leave(Member& me, Workshare& workshare);

// The ordered construct of loops with an ordered clause (OpenMP 5.2, section 15.10).
//
// Words: the *turn* goes through the loop's chunks in the order of their iterations; the thread that executes
// the chunk whose turn it is may execute ordered regions. It passes the turn on when it asks for its next
// chunk, or with its ordered region where the chunk is a single iteration, which may hold only one.

/// Waits for the turn and hands it to the next chunk: the calling thread is done with its own.
/// Requires: me.loop.owes_turn.
void pass_turn(Member& me);
void wait_for_turn(Member& me);

/// Waits until the turn has come to the calling thread's chunk. Does nothing outside an ordered loop.
inline void ordered_begin(Member& me) {
  if (me.loop.owes_turn) wait_for_turn(me);
}
inline void ordered_end(Member& me) {
  if (me.loop.owes_turn && me.loop.chunk.count == 1) pass_turn(me);
}

}  // namespace heddle
