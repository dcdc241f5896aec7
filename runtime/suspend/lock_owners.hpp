// Who owns which lock: noted while the watchdog is on.
//
// Invariant: an explicit task that owns a noted lock stays in memory, also after its end: no other task is
// mistaken for it.
#pragma once

#include <vector>

#include "task/task.hpp"

namespace heddle {

struct LockOwner {
  const void* lock = nullptr;
  const void* where = nullptr;  // the code that took it
  const Task* task = nullptr;   // who took it; nullptr: a task of a library
  bool has_ended = false;       // without giving it back
  int thread = -1;              // of an implicit task: its number in the team
  int level = 0;                // likewise: enclosing parallel regions
};

/// The current task has taken the lock. Threads: the one that did.
void note_lock(const void* lock, const void* where);
/// The lock is given back, or made anew. Threads: any that may be a member.
void forget_lock(const void* lock);
/// The implicit task ends. Threads: its own.
void note_end_of_implicit(const Task& task);

std::vector<LockOwner> noted_locks();

}  // namespace heddle
