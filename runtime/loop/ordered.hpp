// The ordered construct of loops with an ordered clause (OpenMP 5.2, section 15.10).
//
// Words: the *turn* goes through the loop's chunks in the order of their iterations; the thread that executes
// the chunk whose turn it is may execute ordered regions. It passes the turn on when it asks for its next
// chunk, or with its ordered region where the chunk is a single iteration, which may hold only one.
#pragma once

#include "team/team.hpp"

namespace heddle {

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
