// Where a recursion of tasks ceases to be split: when a task that another task creates is executed at its
// creation although few others are queued.
// Source of the idea: Duran, Corbalán, Ayguadé, "An adaptive cut-off for task parallelism", SC 2008.
//
// What thieves take of a recursion is its oldest tasks, the large ones; a few queued are enough for them, and
// what is split finer goes on like calls. But while a creator executes what it created, nobody fills its
// queue. So such tasks are sampled: where those that one is made of last, on average, the cut-off pauses, and
// longer each time that it is tried again.
#pragma once

#include <cstdint>

#include "sched/growing_pause.hpp"
#include "sched/limits.hpp"
#include "sched/task_length.hpp"

namespace heddle {

class Cutoff {
 public:
  /// Whether the next task may be executed at its creation. Called where enough are queued.
  bool allows() {
    if (!lengths_.is_long()) [[likely]]
      return true;
    if (!pause_.is_over()) return false;
    pause_.hold();
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
  /// A task that was due has left its thread: nobody knows its length.
  void skip() { next_sample_ = executed_ + kSeldom; }
  /// It has taken `length` ns. since: executed() when it was; others may have been executed in the same way
  /// within it.
  void judge(std::int64_t length, std::uint64_t since) {
    const std::int64_t mean = length / static_cast<std::int64_t>(executed_ - since + 1);
    const bool is_long = TaskLengthVote::counts_as_long(mean);
    lengths_.judge(mean);
    interval_ = is_long || lengths_.is_long() ? 1 : kSeldom;
    next_sample_ = executed_ + interval_;
    if (is_long) {
      pause_.was_in_vain();
    } else {
      pause_.was_of_use();
      pause_.end();
    }
  }

 private:
  static constexpr std::uint64_t kSeldom = 64;

  TaskLengthVote lengths_;
  std::uint64_t executed_ = 0, next_sample_ = 1, interval_ = 1;
  GrowingPause pause_{limits::kRecursionPause, limits::kLongestRecursionPause};
};

}  // namespace heddle
