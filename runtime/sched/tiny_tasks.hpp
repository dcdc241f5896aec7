// Tasks that cost more to share than to execute.
//
// To create a task that others may take, and to hand it over, costs some 100 ns. Where tasks take less than
// that their creator executes each at its creation, as in a team of one, and is faster than with the others'
// help.
//
// Words: a creator is *alone* while it does so. Others have nothing to do meanwhile, so the clock is looked
// at every few tasks. What a task takes less than sharing it would is *credit*, which others, that take more,
// use up, or the creator itself where it takes its time between them, or the system. Without credit it shares
// again, and for longer each time that this happens soon.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sys/ticks.hpp"

namespace heddle {

struct Task;

/// Of one member of a team.
template <std::uint64_t (*clock)()>
class TinyTasksBy {
 public:
  /// So many votes, and tasks are tiny.
  static constexpr int kSure = 16;
  /// How many there are after one more sample. Units: ns.
  static int votes(int before, std::int64_t length) {
    if (length < kTinyNs) return std::min(before + 1, kSure);
    return std::max(before - (length < kLargeNs ? 1 : kSure / 4), 0);
  }

  bool is_alone(const Task* creator) const { return creator_ == creator; }

  /// Called for each task that is shared. Returns whether the creator is to try to be alone; it then says
  /// go_alone(), stay() or postpone().
  bool is_due() { return --until_trial_ == 0; }
  /// Requires: its children are complete.
  void go_alone(const Task* creator) {
    creator_ = creator;
    executed_ = since_look_ = 0;
    credit_ = in_ticks(kFirstCreditNs);
    look_after_ = 1;
    has_waited_ = true;
    is_postponed_ = false;
    until_trial_ = pause_;
  }
  /// The task is over, or begins.
  void forget_creator(const Task& task) {
    if (creator_ != &task) [[likely]]
      return;
    creator_ = nullptr;
    shrink_pause();
  }
  /// There is no reason yet.
  void stay() { until_trial_ = kShortestPause; }
  /// The children are not complete: it is to try when it has waited for them.
  void postpone() {
    is_postponed_ = true;
    grow_pause();
  }
  bool is_postponed() const { return is_postponed_; }
  /// Around a wait of a creator that may be alone: what it does after it, until it creates the next task, is
  /// no part of what its tasks take. The latter returns whether it is alone.
  void wait_begins(const Task* creator) {
    if (is_alone(creator) && since_look_ != 0) look();
  }
  bool wait_ends(const Task* creator) {
    if (!is_alone(creator)) return false;
    has_waited_ = true;
    return true;
  }

  /// Called before and after each task that is executed alone.
  void begins() {
    if (!has_waited_) [[likely]]
      return;
    has_waited_ = false;
    since_look_ = 0;
    look_after_ = 1;  // what comes now may be something else
    looked_at_ = clock();
  }
  void executed() {
    if (++since_look_ == look_after_) look();
  }

 private:
  // With its data in another processor's cache a body takes far longer than alone.
  static constexpr std::int64_t kTinyNs = 500, kLargeNs = 2000;
  static constexpr std::uint32_t kLook = 4;       // tasks; so many long ones may come one after the other
  static constexpr std::uint64_t kSavedNs = 150;  // by not sharing one, its own time included
  static constexpr std::uint64_t kFirstCreditNs = 5'000, kMostCreditNs = 100'000;
  static constexpr std::uint32_t kShortestPause = 64, kLongestPause = 1 << 16;  // in shared tasks
  static constexpr std::uint32_t kWorthwhile = 16;  // tasks executed alone for each that was shared before

  static std::uint64_t in_ticks(std::uint64_t ns) { return ns * ticks_per_us() / 1000; }
  void look() {
    const std::uint64_t now = clock();
    const std::uint64_t taken = now - looked_at_, saved = since_look_ * in_ticks(kSavedNs);
    looked_at_ = now;
    executed_ += since_look_;
    since_look_ = 0;
    look_after_ = kLook;
    if (taken > credit_ + saved) [[unlikely]]
      return share();
    credit_ = std::min(credit_ + saved - taken, in_ticks(kMostCreditNs));
  }
  void share() {
    creator_ = nullptr;
    if (executed_ < pause_)
      grow_pause();
    else
      shrink_pause();
  }
  // It was right to be alone.
  void shrink_pause() {
    if (executed_ / kWorthwhile >= pause_)
      pause_ = kShortestPause;
    else if (executed_ >= pause_)
      pause_ = std::max(pause_ / 2, kShortestPause);
    until_trial_ = pause_;
  }
  void grow_pause() {
    pause_ = std::min(2 * pause_, kLongestPause);
    until_trial_ = pause_;
  }

  const Task* creator_ = nullptr;
  std::uint64_t looked_at_ = 0;
  std::uint32_t executed_ = 0, since_look_ = 0, look_after_ = 1;
  std::uint32_t until_trial_ = kShortestPause, pause_ = kShortestPause;
  std::uint64_t credit_ = 0;  // ticks
  bool has_waited_ = false;
  bool is_postponed_ = false;
};

using TinyTasks = TinyTasksBy<ticks>;

}  // namespace heddle
