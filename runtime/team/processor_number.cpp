#include "team/processor_number.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "icv/settings.hpp"
#include "sync/process_lock.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"

namespace heddle {
namespace {

struct Numbers {
  ProcessLock lock;
  std::vector<bool> are_taken;
};

Numbers& numbers() {
  static auto* const instance = new Numbers;  // threads may outlive static destructors
  return *instance;
}

int take_number() {
  Numbers& all = numbers();
  const std::lock_guard guard(all.lock);
  all.are_taken.resize(static_cast<std::size_t>(processor_numbers()));
  const auto free = std::ranges::find(all.are_taken, false);
  if (free == all.are_taken.end())
    fatal(
        "more threads use task-aware libraries than there are processor numbers (%d); set OMP_NUM_THREADS to "
        "all the threads there will be, and build those libraries for as many processors",
        processor_numbers());
  *free = true;
  return static_cast<int>(free - all.are_taken.begin());
}

struct OwnNumber {
  const int number = take_number();
  ~OwnNumber() {
    Numbers& all = numbers();
    const std::lock_guard guard(all.lock);
    all.are_taken[static_cast<std::size_t>(number)] = false;
  }
};

}  // namespace

int processor_numbers() {
  static const int count = [] {
    const auto& threads = settings().num_threads;
    return std::max(configured_processors(), threads.empty() ? 1 : threads.front());
  }();
  return count;
}

[[gnu::noinline]] int processor_number() {
  static thread_local const OwnNumber own;
  return own.number;
}

}  // namespace heddle
