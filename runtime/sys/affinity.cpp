#include "sys/affinity.hpp"

#include <sched.h>
#include <unistd.h>

#include <cstddef>

namespace heddle {
namespace {

// The kernel's mask, of as many bits as it may want.
struct Mask {
  explicit Mask(int processors) : bytes(CPU_ALLOC_SIZE(processors)), set(CPU_ALLOC(processors)) {
    CPU_ZERO_S(bytes, set);
  }
  ~Mask() { CPU_FREE(set); }
  Mask(const Mask&) = delete;
  Mask& operator=(const Mask&) = delete;
  std::size_t bytes;
  cpu_set_t* set;
};

constexpr int kMostProcessors = 1 << 16;

std::vector<int> processors_of(pid_t thread) {
  const Mask mask(kMostProcessors);
  std::vector<int> result;
  if (sched_getaffinity(thread, mask.bytes, mask.set) != 0) return result;
  const int count = CPU_COUNT_S(mask.bytes, mask.set);
  for (int processor = 0; static_cast<int>(result.size()) < count; ++processor)
    if (CPU_ISSET_S(static_cast<std::size_t>(processor), mask.bytes, mask.set)) result.push_back(processor);
  return result;
}

}  // namespace

std::vector<int> processors_of_this_thread() {
  return processors_of(0);
}

std::vector<int> processors_of_process() {
  std::vector<int> result = processors_of(getpid());
  return !result.empty() ? result
                         : processors_of(0);  // where the main thread has ended, systems may say nothing
}

bool bind_this_thread(const std::vector<int>& processors) {
  const Mask mask(kMostProcessors);
  for (const int processor : processors) CPU_SET_S(static_cast<std::size_t>(processor), mask.bytes, mask.set);
  return sched_setaffinity(0, mask.bytes, mask.set) == 0;
}

}  // namespace heddle
