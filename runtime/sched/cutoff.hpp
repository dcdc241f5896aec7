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
  bool allows() { return !lengths_.is_long() || --until_trial_ == 0; }

  /// Called for each task that is. Returns whether its length is to be taken, and given to judge().
  bool is_due() { return ++executed_ == next_sample_; }
  /// A task that was due has taken `length` ns, in which it has executed others in the same way.
  void judge(std::int64_t length) {
    const std::uint32_t tasks = executed_ - next_sample_ + 1;
    const std::int64_t mean = length / tasks;
    const bool is_long = TaskLengthVote::counts_as_long(mean);
    lengths_.judge(mean);
    next_sample_ = executed_ + (is_long || lengths_.is_long() ? 1 : kSeldom);
    pause_ = is_long ? std::min(2 * pause_, kLongestPause) : kShortestPause;
    until_trial_ = pause_;
  }

 private:
  // In tasks that are not executed at their creation. Then one lasting task in a thousand leaves others
  // alone.
  static constexpr std::uint32_t kShortestPause = 1, kLongestPause = 1024;
  static constexpr std::uint32_t kSeldom = 64;

  TaskLengthVote lengths_;
  std::uint32_t executed_ = 0, next_sample_ = 1;  // they wrap
  std::uint32_t pause_ = kShortestPause;
  std::uint32_t until_trial_ = 0;
};

}  // namespace heddle
