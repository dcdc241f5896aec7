#include "deps/exclusion.hpp"

#include <mutex>

namespace heddle {

bool collect_exclusions(Task& task) {
  ExclusionList& list = ExclusionList::of(task);
  while (list.held < list.count) {
    Exclusion& exclusion = *list.items()[list.held];
    const std::lock_guard guard(exclusion.lock);
    if (exclusion.is_held) {
      task.next = exclusion.waiting;
      exclusion.waiting = &task;
      return false;
    }
    exclusion.is_held = true;
    ++list.held;
  }
  return true;
}

/// Gives the exclusion to a parked task, if there is one, and returns that task.
Task* pass_on(Exclusion& exclusion) {
  const std::lock_guard guard(exclusion.lock);
  Task* heir = exclusion.waiting;
  if (heir == nullptr) {
    exclusion.is_held = false;
    return nullptr;
  }
  exclusion.waiting = heir->next;
  ++ExclusionList::of(*heir).held;
  return heir;
}

void unreference(Exclusion& exclusion) {
  exclusion.lock.lock();
  const bool was_last = --exclusion.references == 0;
  exclusion.lock.unlock();
  if (was_last) delete &exclusion;
}

}  // namespace heddle
