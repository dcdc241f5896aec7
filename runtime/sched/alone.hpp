// A creator that executes each of its tasks at its creation, as in a team of one, since they cost more to
// share than to execute.
//
// Words: it is *alone* while it does so. Others have nothing to do meanwhile, so the clock is looked at every
// few tasks. What a task takes less than sharing it would is *credit*, which others, that take more, use up,
// or the creator itself where it takes its time between them, or the system. Without credit it shares again;
// where being alone has lost more than it saved, until sharing has cost as much.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sched/growing_pause.hpp"
#include "sched/limits.hpp"

namespace heddle {

struct Task;

/// Of one member of a team. Clock: now() in ticks, and ticks_in(ns).
template <class Clock>
class Alone {
 public:
  bool is(const Task* creator) const { return creator_ == creator; }

  /// Called for each task that is shared. Returns whether the creator is to try to be alone; it then says
  /// begin(), stay() or postpone().
  bool is_due() { return pause_.is_over(); }
  /// Requires: its children are complete.
  void begin(const Task* creator) {
    creator_ = creator;
    since_look_ = 0;
    balance_ = 0;
    credit_ = Clock::ticks_in(kFirstCreditNs);
    look_after_ = 1;
    has_waited_ = true;
    is_postponed_ = false;
    pause_.begin_again();
  }
  /// The task is over, or begins.
  void forget_creator(const Task& task) {
    if (creator_ == &task) [[unlikely]]
      end();
  }
  /// Others are to have its tasks from now on.
  void stop() {
    if (creator_ != nullptr) end();
  }
  /// There is no reason yet, or nothing was lost: it is to try again soon.
  void stay() {
    pause_.was_of_use();
    pause_.begin_again();
  }
  /// The children are not complete: it is to try when it has waited for them.
  void postpone() {
    is_postponed_ = true;
    pause_.was_in_vain();
  }
  bool is_postponed() const { return is_postponed_; }
  /// Around a wait of a creator that may be alone: what it does after it, until it creates the next task, is
  /// no part of what its tasks take. The latter returns whether it is alone.
  void wait_begins(const Task* creator) {
    if (is(creator) && since_look_ != 0) look();
  }
  bool wait_ends(const Task* creator) {
    if (!is(creator)) return false;
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
    looked_at_ = Clock::now();
  }
  void executed() {
    if (++since_look_ == look_after_) look();
  }

 private:
  static constexpr std::uint32_t kLook = 4;  // tasks; so many long ones may come one after the other
  static constexpr std::uint64_t kFirstCreditNs = 5'000, kMostCreditNs = 100'000;

  void look() {
    const std::uint64_t now = Clock::now();
    const std::uint64_t taken = now - looked_at_, saved = since_look_ * Clock::ticks_in(limits::kSharingNs);
    looked_at_ = now;
    balance_ += static_cast<std::int64_t>(saved - taken);
    since_look_ = 0;
    look_after_ = kLook;
    if (taken > credit_ + saved) [[unlikely]]
      return end();
    credit_ = std::min(credit_ + saved - taken, Clock::ticks_in(kMostCreditNs));
  }
  void end() {
    creator_ = nullptr;
    if (balance_ >= 0) return stay();
    pause_.was_in_vain(static_cast<std::uint64_t>(-balance_) / Clock::ticks_in(limits::kSharingNs));
  }

  const Task* creator_ = nullptr;
  std::uint64_t looked_at_ = 0;
  std::uint32_t since_look_ = 0, look_after_ = 1;
  std::uint64_t credit_ = 0;  // ticks, as the next
  std::int64_t balance_ = 0;  // what being alone has saved since it began
  GrowingPause pause_{limits::kAlonePause, limits::kLongestAlonePause, false};
  bool has_waited_ = false;
  bool is_postponed_ = false;
};

}  // namespace heddle
