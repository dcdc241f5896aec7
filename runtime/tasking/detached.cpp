#include "tasking/detached.hpp"

#include <mutex>
#include <unordered_set>

#include "sync/process_lock.hpp"

namespace heddle {
namespace {

struct Notes {
  ProcessLock lock;
  std::unordered_set<const Task*> detached;
};
Notes& notes() {
  static auto* const instance = new Notes;
  return *instance;
}

}  // namespace

void note_detached(const Task& task) {
  Notes& all = notes();
  const std::lock_guard guard(all.lock);
  all.detached.insert(&task);
}

void forget_detached(const Task& task) {
  Notes& all = notes();
  const std::lock_guard guard(all.lock);
  all.detached.erase(&task);
}

std::vector<const Task*> noted_detached() {
  Notes& all = notes();
  const std::lock_guard guard(all.lock);
  return {all.detached.begin(), all.detached.end()};
}

}  // namespace heddle
