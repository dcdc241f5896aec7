#include "sys/affinity.hpp"

#include <sched.h>
#include <unistd.h>
#include <climits>
#include <cstddef>

namespace heddle {
namespace {

constexpr int kBitsInWord = sizeof(unsigned long) * CHAR_BIT;

cpu_set_t* as_set(std::vector<unsigned long>& words) {
  return reinterpret_cast<cpu_set_t*>(words.data());
}

}  // namespace

ProcessorMask::ProcessorMask()
    : words_(static_cast<std::size_t>((capacity() + kBitsInWord - 1) / kBitsInWord)) {}

int ProcessorMask::capacity() {
  static const int processors = [] {
    const long configured = sysconf(_SC_NPROCESSORS_CONF);
    return configured > CPU_SETSIZE ? static_cast<int>(configured) : CPU_SETSIZE;
  }();
  return processors;
}

bool ProcessorMask::contains(int processor) const {
  return (words_[static_cast<std::size_t>(processor / kBitsInWord)] >> (processor % kBitsInWord) & 1) != 0;
}
void ProcessorMask::add(int processor) {
  words_[static_cast<std::size_t>(processor / kBitsInWord)] |= 1ul << (processor % kBitsInWord);
}
void ProcessorMask::remove(int processor) {
  words_[static_cast<std::size_t>(processor / kBitsInWord)] &= ~(1ul << (processor % kBitsInWord));
}

bool ProcessorMask::load_from_thread() {
  return sched_getaffinity(0, words_.size() * sizeof(unsigned long), as_set(words_)) == 0;
}
bool ProcessorMask::store_to_thread() const {
  return sched_setaffinity(0, words_.size() * sizeof(unsigned long),
                           reinterpret_cast<const cpu_set_t*>(words_.data())) == 0;
}

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
