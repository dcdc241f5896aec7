// Sleeping on a 32-bit word until another thread changes it: Linux's futex, private to the process.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

/// Sleeps while `word` holds `expected`; may also return early, so callers loop.
void futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected);

/// The same for about so many nanoseconds at most.
void futex_wait_briefly(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t ns);

/// Wakes at most `count` threads that sleep on `word`.
/// Cost: one system call, whether or not anybody sleeps.
void futex_wake(const std::atomic<std::uint32_t>& word, int count);

/// The same with a set of bits: a wake-up reaches the sleepers whose set has a bit in common with its own.
void futex_wait_for(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::uint32_t bits);
void futex_wake_for(const std::atomic<std::uint32_t>& word, std::uint32_t bits);

}  // namespace heddle
