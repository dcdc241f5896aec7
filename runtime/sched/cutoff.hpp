// Where a recursion of tasks ceases to be split: when a task that another task creates is executed at its
// creation although few others are queued.
// Source of the idea: Duran, Corbalán, Ayguadé, "An adaptive cut-off for task parallelism", SC 2008.
//
// What thieves take of a recursion is its oldest tasks, the large ones; a few queued are enough for them, and
// what is split finer goes on like calls. But while a creator executes what it created, nobody fills its
// queue. So such tasks are sampled: where those that one is made of last, on average, the cut-off pauses, and
// longer each time that it is tried again.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sched/task_length.hpp"

namespace heddle {

class Cutoff {
 public:
  /// Whether the next task may be executed at its creation. Called where enough are queued.
  bool allows() {
    if (!lengths_.is_long()) [[likely]]
      return true;
    if (--until_trial_ != 0) return false;
    until_trial_ = pause_;
    return true;
  }

  /// Called for each task that is. Returns whether its length is to be taken, and given to judge().
  bool is_due() {
    if (++executed_ != next_sample_) [[likely]]
      return false;
    next_sample_ = executed_ + interval_;  // within this one as well
    return true;
  }
  /// Counts every call of is_due().
  std::uint64_t executed() const { return executed_; }
  /// A task that was due has taken `length` ns. since: executed() when it was; others may have been executed
  /// in the same way within it.
  void judge(std::int64_t length, std::uint64_t since) {
    const std::int64_t mean = length / static_cast<std::int64_t>(executed_ - since + 1);
    const bool is_long = TaskLengthVote::counts_as_long(mean);
    lengths_.judge(mean);
    interval_ = is_long || lengths_.is_long() ? 1 : kSeldom;
    next_sample_ = executed_ + interval_;
    pause_ = is_long ? std::min(2 * pause_, kLongestPause) : kShortestPause;
    until_trial_ = pause_;
  }

 private:
  // In tasks that are not executed at their creation. Then one lasting task in a thousand leaves others
  // alone.
  static constexpr std::uint32_t kShortestPause = 1, kLongestPause = 1024;
  static constexpr std::uint64_t kSeldom = 64;

  TaskLengthVote lengths_;
  std::uint64_t executed_ = 0, next_sample_ = 1, interval_ = 1;
  std::uint32_t pause_ = kShortestPause;
  std::uint32_t until_trial_ = kShortestPause;
};

}  // namespace heddle
