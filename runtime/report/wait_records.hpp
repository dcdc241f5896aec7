// What reports of waits need to know, at no cost without the watchdog: which task owns which lock,
// which tasks are detached, where threads and tasks wait.
#pragma once

#include <vector>

#include "task/task.hpp"

namespace heddle {

/// The owner of a lock.
///
/// Invariant: an explicit task that owns a recorded lock stays in memory, also after its end: no other task
/// is mistaken for it.
struct LockOwner {
  const void* lock = nullptr;
  const void* where = nullptr;  // the code that took it
  const Task* task = nullptr;   // that took it; nullptr: a task of a library
  bool has_ended = false;       // without giving it back
  int thread = -1;              // of an implicit task: its number in the team
  int level = 0;                // likewise: enclosing parallel regions
};

/// Records from now on. Threads: once in a process, before the first region.
void start_wait_records();
bool has_wait_records();

/// Threads: any.
std::vector<LockOwner> lock_owners();
/// Tasks whose body has returned and whose event is not fulfilled.
std::vector<const Task*> detached_tasks();

}  // namespace heddle
