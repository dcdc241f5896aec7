// How long tasks are, judged by samples of their bodies: whether it matters where they run, and whether they
// are worth sharing at all.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "sched/limits.hpp"

namespace heddle {

/// Whether tasks are long, by most samples of late. A task that creates or waits for others is long, hence a
/// vote and no mean. Threads: one.
class TaskLengthVote {
 public:
  /// Called for each task that starts. Returns whether its length is to be taken, and given to judge().
  bool is_due() { return --until_sample_ == 0; }

  /// Units: ns.
  void judge(std::int64_t length) {
    const bool was_long = counts_as_long(length);
    until_sample_ = was_long ? 1 : kSeldom;  // of a long task the look at the clock is no part
    votes_ = std::clamp(votes_ + (was_long ? 1 : -1), -kCertain, kCertain);
    if (votes_ == kCertain) is_long_ = true;
    if (votes_ == -kCertain) is_long_ = false;
  }

  bool is_long() const { return is_long_; }
  static bool counts_as_long(std::int64_t length) { return length >= limits::kLongNs; }

 private:
  static constexpr std::uint32_t kSeldom = 64;
  static constexpr int kCertain = 4;

  std::uint32_t until_sample_ = 1;
  int votes_ = 0;
  bool is_long_ = false;
};

/// Whether tasks are short, by nearly all samples of late. Threads: any; a vote that is lost does no harm.
class ShortTaskVote {
 public:
  /// Units: ns.
  void judge(std::int64_t length) {
    const int before = votes_.load(std::memory_order_relaxed);
    const int after = length < limits::kShortNs
                          ? std::min(before + 1, kCertain)
                          : std::max(before - (length < limits::kLongNs ? 1 : kCertain / 4), 0);
    if (after != before) votes_.store(after, std::memory_order_relaxed);
  }
  bool are_short() const { return votes_.load(std::memory_order_relaxed) == kCertain; }

 private:
  static constexpr int kCertain = 16;
  std::atomic<int> votes_{0};
};

}  // namespace heddle
