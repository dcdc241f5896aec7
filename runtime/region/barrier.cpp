// The team's barriers: central, and passed only when the team's tasks are complete (team/barrier_word.hpp).
//
// A member may be slow to see that it can go; by then the master may have opened another region, so it
// touches only its own copy of the team's size.

#include "region/barrier.hpp"
#include "tasking/task_wait.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {
namespace {

bool try_pass(Team& team, BarrierWord<>& word, const BarrierWord<>::Arrival& arrival, int size) {
  const auto are_complete = [&team] { return !team.has_tasks.load() || team.is_quiescent(); };
  if (!word.try_pass(arrival, size, are_complete)) return false;
  team.parking.wake_all(size);
  return true;
}

// Arrives and waits until the barrier is passed, or gives up. Returns whether it is.
template <class GivesUp>
bool arrive_and_wait(Member& me, BarrierWord<>& word, GivesUp&& gives_up) {
  Team& team = *me.team;
  const BarrierWord<>::Arrival arrival = word.arrive();
  // More often than not the others wait for what the primary thread does next. Where threads share processors
  // it is to be the one that lets them go, since it has a processor then; the last one to arrive does so
  // where the primary thread's turn has not come yet. Measured: bench/kernels/sync/waits.c, primary.
  const bool leaves_it_to_primary = me.number != 0 && Backoff::is_oversubscribed();
  if (leaves_it_to_primary && arrival.others + 1 == me.team_size) yield_cpu();
  if (try_pass(team, word, arrival, me.team_size)) return true;
  const WaitInPlace here(me, WaitsFor::kBarrier, &team);
  // Tasks may end, and the barrier with them, when all have arrived and the primary thread sleeps.
  const auto may_pass = [&] { return !leaves_it_to_primary || team.has_tasks.load(); };
  run_tasks_until(
      me,
      [&] {
        return word.is_passed(arrival) || gives_up() ||
               (may_pass() && try_pass(team, word, arrival, me.team_size));
      },
      Executes::kOnTop);
  return word.is_passed(arrival);
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
