// The team's barriers: central, and passed only when the team's tasks are complete.
//
// One word holds the number of barriers passed and of members arrived at the next. A member that finds all
// the others there and the team quiescent moves it on, which exactly one can do. Nothing says that the last
// task is complete: the thread that completes it is in the barrier too and looks next. A member may be slow
// to see that it can go; by then the master may have opened another region, so it touches only its own copy
// of the team's size.

#include "region/barrier.hpp"
#include "tasking/task_wait.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t kArrivedMask = 0xffffffffu;
constexpr std::uint64_t kPassed = kArrivedMask + 1;

bool try_pass(Team& team, std::atomic<std::uint64_t>& word, std::uint64_t passed, int size) {
  std::uint64_t everybody = passed + static_cast<std::uint64_t>(size);
  if (word.load(std::memory_order_acquire) != everybody) return false;
  if (team.has_tasks.load(std::memory_order_relaxed) && !team.is_quiescent()) return false;
  // Release: all that members did before arriving is visible to the one who moves the word on, and through it
  // to all. Sequentially consistent: before the look for sleepers.
  if (!word.compare_exchange_strong(everybody, passed + kPassed, std::memory_order_seq_cst)) return false;
  team.parking.wake_all(size);
  return true;
}

// Arrives and waits until the word has moved on, or gives up. Returns whether it has.
template <class GivesUp>
bool arrive_and_wait(Member& me, std::atomic<std::uint64_t>& word, GivesUp&& gives_up) {
  Team& team = *me.team;
  const std::uint64_t before = word.fetch_add(1, std::memory_order_acq_rel);
  const std::uint64_t passed = before & ~kArrivedMask;
  // More often than not the others wait for what the primary thread does next. Where threads share processors
  // it is to be the one that lets them go, since it has a processor then; the last one to arrive does so
  // where the primary thread's turn has not come yet. Measured: bench/kernels/sync/waits.c, primary.
  const bool leaves_it_to_primary = me.number != 0 && Backoff::is_oversubscribed();
  if (leaves_it_to_primary && (before - passed) + 1 == static_cast<std::uint64_t>(me.team_size)) yield_cpu();
  if (try_pass(team, word, passed, me.team_size)) return true;
  const WaitInPlace here(me, WaitsFor::kBarrier, &team);
  // seq_cst: pairs with the exchange in try_pass(), which comes before its look for sleepers
  const auto is_over = [&] { return (word.load(std::memory_order_seq_cst) & ~kArrivedMask) != passed; };
  // Tasks may end, and the barrier with them, when all have arrived and the primary thread sleeps.
  const auto may_pass = [&] {
    return !leaves_it_to_primary || team.has_tasks.load(std::memory_order_relaxed);
  };
  run_tasks_until(
      me,
      [&] { return is_over() || gives_up() || (may_pass() && try_pass(team, word, passed, me.team_size)); },
      Executes::kOnTop);
  return is_over();
}

void wait_alone(Member& me) {
  Team& team = *me.team;
  if (team.has_tasks.load(std::memory_order_relaxed)) {
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
  arrive_and_wait(me, me.team->barrier_state, [] { return false; });
  me.policy.serial_creation.wait_ends(me.context.task);
}

bool cancellable_barrier(Member& me) {
  Team& team = *me.team;
  // seq_cst: pairs with the store in cancel(), which comes before its look for sleepers
  const auto is_cancelled = [&] { return team.is_cancelled.load(std::memory_order_seq_cst); };
  if (is_cancelled()) return true;
  const Unconstrained here(me.context);
  ++me.loop.barriers;
  if (me.team_size == 1)
    wait_alone(me);
  else
    arrive_and_wait(me, team.cancellable_barrier_state, is_cancelled);
  return is_cancelled();
}

}  // namespace heddle
