// The team's barriers, which are passed only when the team's tasks are complete (team/barrier_wait.hpp).
//
// A member may be slow to see that it can go; by then the primary thread may have opened another region, so
// the size is the member's copy.

#include "region/barrier.hpp"

#include <cstdint>

#include "sys/processor.hpp"
#include "tasking/task_wait.hpp"
#include "team/barrier_wait.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {
namespace {

// A member at one of its team's barriers, whose wait gives_up() may end early (team/barrier_wait.hpp).
template <class GivesUp>
class BarrierSite {
 public:
  using Barrier = TreeBarrier<>;

  BarrierSite(Member& me, Barrier& barrier, GivesUp gives_up)
      : me_(me), team_(*me.team), barrier_(barrier), gives_up_(gives_up) {}

  Barrier& barrier() const { return barrier_; }
  Quiescence<>& quiescence() const { return team_.quiescence; }
  int number() const { return me_.number; }
  int size() const { return me_.team_size; }
  bool has_tasks() const { return team_.has_tasks.load(); }
  bool has_ready_task() const { return team_.ready.holds(me_.number, 1); }
  std::uint64_t balance() const { return me_.tasks.created() - me_.tasks.finished(); }
  std::uint64_t finished_outside() const { return team_.finished_outside.finished(); }
  void announce_completions() const { heddle::announce_completions(me_); }
  // More often than not the others wait for what the primary thread does next. Where threads share processors
  // it is to be the one that lets them go, since it has a processor then; the last one to arrive does so
  // where the primary thread's turn has not come yet. Measured: bench/kernels/sync/waits.c, primary.
  bool leaves_it_to_primary() const { return me_.number != 0 && Backoff::is_oversubscribed(); }
  void yield() const { yield_cpu(); }
  void wake_all() const { team_.parking.wake_all(me_.team_size); }
  bool gives_up() const { return gives_up_(); }

 private:
  Member& me_;
  Team& team_;
  Barrier& barrier_;
  GivesUp gives_up_;
};

// Arrives and waits until the barrier is passed, or gives up.
template <class GivesUp>
void arrive_and_wait(Member& me, TreeBarrier<>& barrier, GivesUp gives_up) {
  BarrierWait wait(BarrierSite(me, barrier, gives_up));
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
