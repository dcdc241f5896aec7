// The team's barriers, which are passed only when the team's tasks are complete (team/tree_barrier.hpp,
// team/quiescence.hpp).
//
// A member may be slow to see that it can go; by then the master may have opened another region, so it
// touches only its own copy of the team's size.

#include "region/barrier.hpp"

#include <cstdint>
#include <utility>

#include "tasking/task_wait.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {
namespace {

// A member's wait in a barrier, which gives_up() may end early.
template <class GivesUp>
class BarrierWait {
 public:
  BarrierWait(Member& me, TreeBarrier<>& barrier, GivesUp gives_up)
      : me_(me),
        team_(*me.team),
        barrier_(barrier),
        gives_up_(gives_up),
        leaves_it_to_primary_(Backoff::is_oversubscribed()),
        arrival_(barrier.arrive(me.number, me.team_size)) {
    if (!arrival_.is_last) return;
    const bool has_tasks = team_.has_tasks.load();
    const bool leaves_it = leaves_it_to_primary_ && me.number != 0;
    if (has_tasks || leaves_it) barrier_.announce(arrival_);
    if (has_tasks) return;
    if (leaves_it) yield_cpu();
    pass();
  }
  ~BarrierWait() { becomes_busy(); }
  BarrierWait(const BarrierWait&) = delete;
  BarrierWait& operator=(const BarrierWait&) = delete;

  bool operator()() const { return TreeBarrier<>::is_passed(arrival_) || gives_up_(); }

  /// The member executes nothing. Returns whether the wait is over.
  bool becomes_idle() {
    if (!team_.has_tasks.load()) {
      if (leaves_it_to_primary_ && me_.number == 0 && TreeBarrier<>::are_all_here(arrival_)) pass();
      return false;
    }
    if (!TreeBarrier<>::are_all_here(arrival_) || team_.ready.holds(me_.number, 1)) return false;
    announce_completions(me_);
    report();
    look();
    return operator()();
  }

  /// The member is about to execute something.
  void becomes_busy() {
    if (std::exchange(is_idle_, false)) team_.quiescence.is_busy(me_.number);
  }

  /// Called once the member has announced its sleep: it is idle for those that look later, also where the
  /// team's first task is yet to come.
  bool prepare_sleep() {
    announce_completions(me_);
    report();
    full_fence();  // it sees that all are here, or those that learn it see that it is idle
    becomes_idle();
    return !operator()();
  }
  void end_sleep() {}

 private:
  void report() {
    const std::uint64_t balance = me_.tasks.created() - me_.tasks.finished();
    const std::uint64_t outside = team_.finished_outside.finished();
    if (!is_idle_ || balance != balance_) team_.quiescence.is_idle(me_.number, balance);
    has_news_ |= !is_idle_ || balance != balance_ || outside != outside_;
    is_idle_ = true;
    balance_ = balance;
    outside_ = outside;
  }

  void look() {
    const auto outside = [this] { return team_.finished_outside.finished(); };
    if (std::exchange(has_news_, false) && team_.quiescence.is_reached(me_.number, me_.team_size, outside))
      pass();
  }

  void pass() {
    if (barrier_.pass(arrival_)) team_.parking.wake_all(me_.team_size);
  }

  Member& me_;
  Team& team_;
  TreeBarrier<>& barrier_;
  GivesUp gives_up_;
  // More often than not the others wait for what the primary thread does next. Where threads share processors
  // it is to be the one that lets them go, since it has a processor then; the last one to arrive does so
  // where the primary thread's turn has not come yet. Measured: bench/kernels/sync/waits.c, primary.
  const bool leaves_it_to_primary_;
  TreeBarrier<>::Arrival arrival_;
  // What the member has reported last (team/quiescence.hpp), and what others had completed then.
  bool is_idle_ = false, has_news_ = false;  // since it has looked
  std::uint64_t balance_ = 0, outside_ = 0;
};

// Arrives and waits until the barrier is passed, or gives up.
template <class GivesUp>
void arrive_and_wait(Member& me, TreeBarrier<>& barrier, GivesUp gives_up) {
  BarrierWait wait(me, barrier, gives_up);
  if (wait()) return;
  const WaitInPlace here(me, WaitsFor::kBarrier, me.team);
  run_tasks_until(me, wait, Executes::kOnTop);
}

void wait_alone(Member& me) {
  Team& team = *me.team;
  if (team.has_tasks.load()) {
    const WaitInPlace here(me, WaitsFor::kBarrier, &team);
    run_tasks_until(me, [&] { return team.is_quiescent(); }, Executes::kOnTop);
  }
}

}  // namespace

void barrier(Member& me) {
  const Unconstrained here(me.context);
  ++me.loop.barriers;
  if (me.team_size == 1) return wait_alone(me);
  me.policy.serial_creation.wait_begins(me.context.task);
  arrive_and_wait(me, me.team->barrier, [] { return false; });
  me.policy.serial_creation.wait_ends(me.context.task);
}

bool cancellable_barrier(Member& me) {
  Team& team = *me.team;
  const auto is_cancelled = [&] { return team.is_cancelled.seen(); };
  if (is_cancelled()) return true;
  const Unconstrained here(me.context);
  ++me.loop.barriers;
  if (me.team_size == 1)
    wait_alone(me);
  else
    arrive_and_wait(me, team.cancellable_barrier, is_cancelled);
  return is_cancelled();
}

}  // namespace heddle
