#include "sys/futex.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <ctime>

namespace heddle {

void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected) {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, nullptr, nullptr, 0);
}

void futex_wait_briefly(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t ns) {
  constexpr std::int64_t kNsInSecond = 1'000'000'000;
  const timespec limit{static_cast<std::time_t>(ns / kNsInSecond), static_cast<long>(ns % kNsInSecond)};
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, expected, &limit, nullptr, 0);
}

void futex_wake(const std::atomic<std::uint32_t>& word, int count) {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, count, nullptr, nullptr, 0);
}

void futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint32_t bits) {
  syscall(SYS_futex, &word, FUTEX_WAIT_BITSET_PRIVATE, expected, nullptr, nullptr, bits);
}

void futex_wake_for(const std::atomic<std::uint32_t>& word, std::uint32_t bits) {
  syscall(SYS_futex, &word, FUTEX_WAKE_BITSET_PRIVATE, INT32_MAX, nullptr, nullptr, bits);
}

}  // namespace heddle
