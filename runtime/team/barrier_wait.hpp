// A member's stay at a barrier, from its arrival until it goes: which member lets all go, and when.
#pragma once

#include <cstdint>
#include <utility>

namespace heddle {

/// Lets all go as soon as all are there and the team's tasks are complete (tree_barrier.hpp, quiescence.hpp).
/// Where the team has had no task in this region the last one to come does so, or leaves it to the primary
/// thread; otherwise a member that has become idle.
///
/// Site is the team as the barrier's member sees it:
///   Barrier&, Quiescence&   barrier(), quiescence()
///   number(), size()        of the member, and of the members that come
///   has_tasks()             a task was created in this region, or, for a member that has not seen that it
///                           can go, in the next
///   has_ready_task()        the member will find one without a look at others
///   balance()               tasks that the member has created, less those that it has completed
///   finished_outside()      tasks of the team that threads outside it have completed
///   announce_completions()  of tasks that the member has executed, to those who wait for them
///   leaves_it_to_primary()  the member had better not be the one that lets the others go
///   yield(), wake_all()     to other threads; of the members that sleep
///   gives_up()              the member need not wait any longer
template <class Site>
class BarrierWait {
  using Barrier = typename Site::Barrier;

 public:
  /// The member arrives.
  explicit BarrierWait(const Site& site)
      : site_(site), arrival_(site_.barrier().arrive(site_.number(), site_.size())) {
    if (!arrival_.is_last) return;
    if (site_.has_tasks()) {
      site_.barrier().announce(arrival_);
    } else {
      if (site_.leaves_it_to_primary()) {
        site_.barrier().announce(arrival_);
        site_.yield();
      }
      pass();
    }
  }
  ~BarrierWait() { becomes_busy(); }
  BarrierWait(const BarrierWait&) = delete;
  BarrierWait& operator=(const BarrierWait&) = delete;

  /// Whether the wait is over.
  bool operator()() const { return Barrier::is_passed(arrival_) || site_.gives_up(); }

  /// The member executes nothing. Returns whether the wait is over.
  bool becomes_idle() {
    // This comes first: it shows tasks that others have created before they came.
    if (!Barrier::are_all_here(arrival_)) return false;
    if (!site_.has_tasks()) {
      if (site_.number() == 0) pass();
      return (*this)();
    }
    if (site_.has_ready_task()) return false;
    site_.announce_completions();
    report();
    look();
    return (*this)();
  }

  /// The member is about to execute something.
  void becomes_busy() {
    if (std::exchange(is_idle_, false)) site_.quiescence().is_busy(site_.number());
  }

  /// Called once the member has announced its sleep: it is idle for those that look later, also where the
  /// team's first task is yet to come. Returns whether there is anything left to wait for.
  bool prepare_sleep() {
    site_.announce_completions();
    report();
    Barrier::Fences::full();  // it sees that all are here, or those that learn it see that it is idle
    becomes_idle();
    return !(*this)();
  }
  void end_sleep() {}

 private:
  void report() {
    const std::uint64_t balance = site_.balance();
    const std::uint64_t outside = site_.finished_outside();
    if (!is_idle_ || balance != balance_) site_.quiescence().is_idle(site_.number(), balance);
    has_news_ |= !is_idle_ || balance != balance_ || outside != outside_;
    is_idle_ = true;
    balance_ = balance;
    outside_ = outside;
  }

  void look() {
    const auto outside = [this] { return site_.finished_outside(); };
    if (std::exchange(has_news_, false) &&
        site_.quiescence().is_reached(site_.number(), site_.size(), outside))
      pass();
  }

  void pass() {
    if (site_.barrier().pass(arrival_)) site_.wake_all();
  }

  const Site site_;
  typename Barrier::Arrival arrival_;
  // What the member has reported last, and what others had completed then; whether that was new to it after
  // its last look.
  bool is_idle_ = false, has_news_ = false;
  std::uint64_t balance_ = 0, outside_ = 0;
};

}  // namespace heddle
