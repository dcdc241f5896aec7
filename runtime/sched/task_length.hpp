// Whether tasks last long enough for it to matter where they run, judged by samples.
//
// To send a task to another worker costs both about a hundred nanoseconds; what it saves is what the task
// would have fetched from the other's cache. A body shorter than that fetch has little to save.
#pragma once

#include <algorithm>
#include <cstdint>

namespace heddle {

class TaskLengthVote {
 public:
  /// Called for each task that starts. Returns whether its length is to be taken, and given to judge().
  bool is_due() { return --until_sample_ == 0; }

  /// Ensures: is_long() follows what most samples of late were. A task that creates or waits for others is
  /// long, hence a vote and no mean. Units: ns.
  void judge(std::int64_t length) {
    const bool was_long = counts_as_long(length);
    until_sample_ = was_long ? 1 : kSeldom;  // of a long task the look at the clock is no part
    votes_ = std::clamp(votes_ + (was_long ? 1 : -1), -kCertain, kCertain);
    if (votes_ == kCertain) is_long_ = true;
    if (votes_ == -kCertain) is_long_ = false;
  }

  bool is_long() const { return is_long_; }
  static bool counts_as_long(std::int64_t length) { return length >= kLongNs; }

 private:
  static constexpr std::int64_t kLongNs = 2000;
  static constexpr std::uint32_t kSeldom = 64;
  static constexpr int kCertain = 4;

  std::uint32_t until_sample_ = 1;
  int votes_ = 0;
  bool is_long_ = false;
};

}  // namespace heddle
