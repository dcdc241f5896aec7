#include "region/process_fork.hpp"
#include "suspend/polling.hpp"

#include <memory>

#include "sys/machine.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

bool is_in(const LoopState& loop, const Workshare& ws) {
  return loop.shared == &ws || loop.doacross == &ws || loop.companion == &ws;
}

// Whatever the lost members had met or left, the ring continues with what this one meets next.
void continue_ring_alone(Team& team, Member& me) {
  for (std::size_t i = 0; i < team.workshares.size(); ++i) {
    Workshare& ws = team.workshares[i];
    ws.turn.forget_departed();
    if (is_in(me.loop, ws)) continue;
    const std::uint64_t behind = (i + Workshare::kRing - me.loop.turn % Workshare::kRing) % Workshare::kRing;
    ws.turn.restart(me.loop.turn + behind);
    ws.shared = nullptr;
    ws.dispose = nullptr;
  }
}

void go_on_alone(Member& me) {
  Team& team = *me.team;
  me.team_size = 1;
  me.pipeline = nullptr;  // its tasks are lost, and its slot stays busy
  me.place = kNoPlace;
  me.partition = {};
  team.attached = 0;
  team.threads_taken = 0;
  team.contention_group->forget_other_threads();
  team.opening.restart(me.seen_opening);
  team.has_tasks.store(false);
  team.latency_waiters.store(0);
  team.visitors.forget();
  team.barrier.abandon();
  team.cancellable_barrier.abandon();
  // What the lost threads had to do counts as done; the caller announces its own completions later.
  const std::uint64_t lost = team.created() - team.finished() - me.completions.count;
  team.finished_outside.add(lost);
  for (Member& member : team.members)
    team.quiescence.restart(member.number, member.tasks.created() - member.tasks.finished());
  team.singles_claimed.store(me.singles_met);
  continue_ring_alone(team, me);
  for (Member& member : team.members)  // their stacks are given to new threads
    if (&member != &me) member.waits = nullptr;
  // Their locks and bits may be in the middle of a lost thread's change.
  std::destroy_at(&team.ready);
  std::construct_at(&team.ready, team.places);
  if (team.order != nullptr) team.order->survive_fork();
  std::destroy_at(&team.parking);
  std::construct_at(&team.parking, team.places);
  std::construct_at(&team.watch);
  std::destroy_at(&team.gate);
  std::construct_at(&team.gate);
}

}  // namespace

void survive_fork(Worker& worker) {
  forget_other_pollers();
  for (Member* member = worker.member; member != nullptr; member = outer_place(*member)) go_on_alone(*member);
  // Teams kept for later have lost their workers, and nobody is in them.
  while (worker.hot.size() > static_cast<std::size_t>(worker.mastered)) worker.hot.pop_back();
}

}  // namespace heddle
