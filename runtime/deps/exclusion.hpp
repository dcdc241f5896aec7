// Mutual exclusion of the tasks of one mutexinoutset: a token that a task must hold while it runs.
//
// Words: a task *collects* its exclusions in address order (so that two tasks never wait for each other in a
// ring) and is *parked* on the first that is taken; the task that gives that one back carries on collecting
// in its name. Invariant: at most one task holds an exclusion. A parked task is on exactly one list.
#pragma once

#include <cstdint>

#include "sync/futex_lock.hpp"
#include "task/task.hpp"

namespace heddle {

/// What a task of a mutexinoutset must hold: the head of Task::extensions where Task::kHasExclusions is set.
struct ExclusionList {
  TaskExtension extension;
  std::uint32_t held = 0;
  std::uint32_t count = 0;

  /// Sorted by address.
  Exclusion** items() { return reinterpret_cast<Exclusion**>(this + 1); }
  static ExclusionList& of(Task& task) { return *reinterpret_cast<ExclusionList*>(task.extensions); }
};

struct Exclusion {
  FutexLock lock;  // guards the fields below; held for a few instructions
  bool is_held = false;
  Task* waiting = nullptr;       // parked tasks, linked by Task::next
  std::uint32_t references = 0;  // sets and tasks that name it; guarded by the lock
};

/// Takes what is missing of the task's exclusions. Returns true when all are held: the task may run.
/// On false the task is parked and must not be touched.
bool collect_exclusions(Task& task);

/// Gives back all the exclusions of a task that has run, calling ready(task) for each that now has all of its
/// own.
template <class Ready>
void return_exclusions(Task& task, Ready&& ready);

/// Drops one reference and frees the exclusion with the last.
void unreference(Exclusion& exclusion);

Task* pass_on(Exclusion& exclusion);

template <class Ready>
void return_exclusions(Task& task, Ready&& ready) {
  ExclusionList& list = ExclusionList::of(task);
  for (std::uint32_t i = 0; i < list.count; ++i) {
    // The next holder continues with its remaining exclusions; it may be parked again further on.
    if (Task* heir = pass_on(*list.items()[i]); heir != nullptr && collect_exclusions(*heir)) ready(*heir);
    unreference(*list.items()[i]);
  }
}

}  // namespace heddle
