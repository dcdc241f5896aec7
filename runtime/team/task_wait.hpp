// Waiting that does useful work: the waiting thread executes ready tasks, spins a little, then sleeps.
#pragma once

#include <utility>

#include "team/tasking.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {

/// Returns once done() holds; executes tasks that me.constraint allows meanwhile.
/// Requires: whoever makes done() true wakes this member afterwards, or is about to look for sleepers anyway.
/// A Done with prepare_sleep() and end_sleep() is told between which moments that matters; prepare_sleep()
/// returns whether there is anything left to wait for.
template <class Done>
void run_tasks_until(Member& me, Done&& done) {
  Team& team = *me.team;
  Backoff backoff;
  Task* found = nullptr;  // by the last look before sleep
  while (!done()) {
    if (Task* task = found != nullptr ? std::exchange(found, nullptr) : find_task(me)) {
      while (task != nullptr) {
        Task* successor = execute(me, *task);
        if (successor != nullptr && (!may_start(*successor, me.rule()) || done())) {
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
    // Whoever made a task ready before the announcement woke nobody: look for it, and not only whether there
    // is one, since under a constraint the lists may hold tasks for others alone.
    bool is_done;
    if constexpr (requires { done.prepare_sleep(); })
      is_done = !done.prepare_sleep();
    else
      is_done = done();
    if (!is_done) found = find_task(me, Look::kLast);
    if (is_done || found != nullptr) {
      if (!team.parking.withdraw(me.number)) team.parking.wake_one(me.team_size);
    } else {
      team.parking.sleep(me.number);
    }
    if constexpr (requires { done.end_sleep(); }) done.end_sleep();
  }
  announce_completions(me);
  if (found != nullptr) make_ready(me, *found);  // the wait ended before its turn came
}

}  // namespace heddle
