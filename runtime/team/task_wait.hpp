// Waiting that does useful work: the waiting thread executes ready tasks, spins a little, then sleeps.
#pragma once

#include "team/tasking.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {

/// Returns once done() holds; executes tasks that me.constraint allows meanwhile.
/// Requires: whoever makes done() true wakes this member afterwards, or is about to look for sleepers anyway.
template <class Done>
void run_tasks_until(Member& me, Done&& done) {
  Team& team = *me.team;
  Backoff backoff;
  while (!done()) {
    if (Task* task = find_task(me)) {
      while (task != nullptr) {
        Task* successor = execute(me, *task);
        if (successor != nullptr && (!may_start(*successor, me.constraint) || done())) {
          make_ready(me, *successor);
          successor = nullptr;
        }
        task = successor;
      }
      backoff.reset();
      continue;
    }
    if (backoff.spin()) continue;
    me.cache->flush();
    team.parking.announce(me.number);
    if (done() || team.ready.may_have_work(me.team_size, me.constraint)) {
      if (!team.parking.withdraw(me.number)) team.parking.wake_one(me.team_size);
      continue;
    }
    team.parking.sleep(me.number);
  }
}

}  // namespace heddle
