// The way of a task from its construct: placed, then executed at once or published.
#pragma once

#include "tasking/placing.hpp"
#include "team/team.hpp"

namespace heddle {

/// Does with a task what place() has said. Abi is what a compiler's construct knows of it.
///
/// execute_inline(): as a child of the current task that nobody counts.
///
/// execute_apart(): the same on a stack of its own; returns false, and does nothing, where there is none.
///
/// execute_included(): as an undeferred task, after its predecessors.
///
/// publish(): makes its Task, with its data, and submits it.
template <class Abi>
void spawn(Where where, Abi&& abi) {
  switch (where) {
    case Where::kInline:
      return abi.execute_inline();
    case Where::kIncluded:
      return abi.execute_included();
    case Where::kOwnStack:
      if (abi.execute_apart()) return;
      break;
    case Where::kQueue:
    case Where::kUndecided:
      break;
  }
  abi.publish();
}

}  // namespace heddle
