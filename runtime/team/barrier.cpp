// The team's barrier: central, and passed only when the team's tasks are complete.
//
// One word holds the number of barriers passed and of members arrived at the next. Who finds everybody there
// and the team quiescent moves it on, which exactly one can do. Nobody is told that the last task is
// complete: whoever completes it is in the barrier too and looks next. A member may be slow to see that it
// can go; by then the master may have opened another region, so it touches only its own copy of the team's
// size.
#include "team/task_wait.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t kArrivedMask = 0xffffffffu;
constexpr std::uint64_t kPassed = kArrivedMask + 1;

bool try_pass(Team& team, std::uint64_t passed, int size) {
  std::uint64_t everybody = passed + static_cast<std::uint64_t>(size);
  if (team.barrier_state.load(std::memory_order_acquire) != everybody) return false;
  if (team.has_tasks.load(std::memory_order_relaxed) && !team.is_quiescent()) return false;
  // Release: all that members did before arriving is visible to the one who moves the word on, and through it
  // to all. Sequentially consistent: before the look for sleepers.
  if (!team.barrier_state.compare_exchange_strong(everybody, passed + kPassed, std::memory_order_seq_cst))
    return false;
  team.parking.wake_all(size);
  return true;
}

}  // namespace

bool Team::is_quiescent() const {
  // Finished first, created second: if the sums agree, no task was incomplete at the moment between the two,
  // and with all members in the barrier nobody but a task can create another.
  std::uint64_t finished = finished_outside.load(std::memory_order_acquire);
  for (const Member& member : members) finished += member.tasks_finished.load(std::memory_order_acquire);
  std::uint64_t created = 0;
  for (const Member& member : members) created += member.tasks_created.load(std::memory_order_acquire);
  return finished == created;
}

void barrier(Member& me) {
  Team& team = *me.team;
  Task* const constraint = me.constraint;
  me.constraint = nullptr;  // tasks suspended in a barrier do not constrain (OpenMP 5.2, section 12.9)
  if (me.team_size == 1) {
    if (team.has_tasks.load(std::memory_order_relaxed))
      run_tasks_until(me, [&] { return team.is_quiescent(); });
  } else {
    const std::uint64_t before = team.barrier_state.fetch_add(1, std::memory_order_acq_rel);
    const std::uint64_t passed = before & ~kArrivedMask;
    if (!try_pass(team, passed, me.team_size))
      run_tasks_until(me, [&] {
        // seq_cst: pairs with the exchange in try_pass(), which comes before its look for sleepers
        return (team.barrier_state.load(std::memory_order_seq_cst) & ~kArrivedMask) != passed ||
               try_pass(team, passed, me.team_size);
      });
  }
  me.constraint = constraint;
}

}  // namespace heddle
