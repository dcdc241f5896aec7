#include "sys/processor_mask.hpp"

#include <sched.h>
#include <unistd.h>

#include <climits>

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

}  // namespace heddle
