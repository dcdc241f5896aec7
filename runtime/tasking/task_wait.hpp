// Waiting that does useful work: the waiting thread executes ready tasks, spins a little, then sleeps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sched/limits.hpp"
#include "sched/spawn_policy.hpp"
#include "suspend/polling.hpp"
#include "suspend/suspension.hpp"
#include "sys/processor.hpp"
#include "tasking/complete.hpp"
#include "tasking/execute.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {

/// Counts its member among those that wait for latency and find nothing, as long as it exists.
///
/// What such a wait is for may itself wait for tasks that it does not want: predecessors outside its group.
/// Where everybody sleeps or waits like this, they are what is left to be executed.
class LatencyWaiter {
 public:
  explicit LatencyWaiter(Member& me) : me_(me) {}
  ~LatencyWaiter() { leave(); }
  LatencyWaiter(const LatencyWaiter&) = delete;
  LatencyWaiter& operator=(const LatencyWaiter&) = delete;

  /// Called where nothing wanted was found. Where nobody else gets on it returns any task that may be
  /// started; otherwise nullptr.
  Task* look_beyond() {
    Team& team = *me_.team;
    if (!std::exchange(is_counted_, true)) team.latency_waiters.fetch_add(1);
    const int stuck = team.latency_waiters.load() + team.parking.announced();
    if (stuck < me_.team_size) return nullptr;
    const Pushed<const Wanted*> any_task(me_.context.wanted, nullptr);
    return find_task(me_, Look::kLast);
  }
  void leave() {
    if (std::exchange(is_counted_, false)) me_.team->latency_waiters.fetch_sub(1);
  }

 private:
  Member& me_;
  bool is_counted_ = false;
};

/// Whether a wait of the current task leaves its thread: otherwise what it executes meanwhile might suspend
/// on top of it. A wait for latency executes nothing but what it waits for: but a transparent task may wait
/// for what siblings do, which its thread could not start on top of it.
inline bool leaves_to_wait(const Member& me) {
  const Task& task = *me.context.task;
  return may_suspend() && (!task.environment->waits_for_latency || task.kind == Task::kTransparent);
}

/// Where a waiting thread executes tasks: on top of its wait; or, where they may suspend, on stacks of
/// their own, so that the wait can go on below them. On top is right where nothing can go on before they are
/// complete.
enum class Executes { kOnTop, kOnOwnStack };

/// When a waiting thread looks at others' queues: the more threads a team has the less often, while that is
/// in vain. A look takes the cache line that a creator is about to write; so all that wait together are to
/// cost it about as much as one.
class LooksAtOthers {
 public:
  explicit LooksAtOthers(int team_size) : LooksAtOthers(Turns(std::max(0, team_size - 2))) {}
  /// Asked once a turn.
  bool is_due() { return pause_.is_over(); }
  /// What the wait is for may have left descendants where nobody knows of them (sched/lineage.hpp): when it
  /// has been in vain for long the thread looks at what anybody has.
  Look next() const { return in_vain_ == most_in_vain_ ? Look::kAnybody : Look::kFirst; }
  void was_in_vain() {
    pause_.was_in_vain();
    if (in_vain_++ < most_in_vain_) return;
    in_vain_ = 0;
    most_in_vain_ *= 2;
  }
  /// The thread has done something else meanwhile: what it has seen is old.
  void begin_again() {
    pause_.was_of_use();
    pause_.end();
    in_vain_ = 0;
    most_in_vain_ = limits::kLooksInVain;
  }

 private:
  using Turns = std::uint32_t;
  explicit LooksAtOthers(Turns most) : pause_(std::min(Turns{1}, most), most) {}

  GrowingPause pause_;
  std::uint64_t in_vain_ = 0, most_in_vain_ = limits::kLooksInVain;
};

/// Returns once done() holds; executes tasks that me.context.constraint allows meanwhile.
/// Requires: the thread that makes done() true wakes this member afterwards, or is about to look for sleepers
/// anyway. A Done with prepare_sleep() and end_sleep() is told between which moments that matters;
/// prepare_sleep() returns whether there is anything left to wait for. One with becomes_idle() and
/// becomes_busy() hears of each time before the member looks for a task, where it may end the wait, and of
/// each before the member executes anything.
template <class Done>
void run_tasks_until(Member& me, Done&& done, Executes where = Executes::kOnOwnStack) {
  constexpr bool kReports = requires { done.becomes_idle(); };
  Team& team = *me.team;
  Backoff backoff;
  LooksAtOthers looks(me.team_size);
  LatencyWaiter latency(me);
  Searching search(me);
  Task* found = nullptr;  // by the last look before sleep
  bool is_my_turn = false;
  const auto stop = [&] { return done() || has_next(me); };
  const auto begin_again = [&] {
    looks.begin_again();
    backoff.reset();
  };
  while (!done()) {
    // Between two turns of others it looks for work once: they may all be waits like this.
    if (has_next(me) && !std::exchange(is_my_turn, !is_my_turn)) [[unlikely]] {
      if constexpr (kReports) done.becomes_busy();
      latency.leave();
      search.found();
      if (found != nullptr) make_ready(me, *std::exchange(found, nullptr));
      let_next_go_on(me);
      begin_again();
      continue;
    }
    if constexpr (kReports)  // before a look at others, which takes long
      if (found == nullptr && done.becomes_idle()) break;
    Task* task = std::exchange(found, nullptr);
    if (task == nullptr && looks.is_due()) {
      task = find_task(me, looks.next());
      if (task == nullptr) looks.was_in_vain();
      if (task == nullptr && me.context.wanted != nullptr) task = latency.look_beyond();
    }
    if (task != nullptr) {
      if constexpr (kReports) done.becomes_busy();
      latency.leave();
      search.found();
      if (where == Executes::kOnTop)
        execute_chain(me, *task, stop);
      else
        execute_meanwhile(me, *task, stop);
      begin_again();
      continue;
    }
    if (me.context.wanted == nullptr) me.has_left_tasks ? search.leave_to_others() : search.begin();
    if (needs_poll()) {
      if constexpr (kReports) done.becomes_busy();  // what is polled for may be anything
      if (poll(me)) continue;
    }
    const bool has_tasks = team.has_tasks.load();
    if (backoff.spin(has_tasks ? limits::kLooksAYield : 1)) continue;
    if (me.context.wanted != nullptr) {  // it goes on the moment it can: no sleep
      yield_cpu();
      continue;
    }
    me.cache->flush();
    search.pause();
    team.parking.announce(me.number);
    // A thread that made a task ready before the announcement woke nobody: look for it, and not only whether
    // there is one, since under a constraint the lists may hold tasks for others alone.
    bool is_done;
    if constexpr (requires { done.prepare_sleep(); })
      is_done = !done.prepare_sleep();
    else
      is_done = done();
    is_done = is_done || has_next(me);
    if (!is_done) found = find_task(me, Look::kLast);
    const bool goes_on = is_done || found != nullptr;
    if (goes_on) {
      search.resume(!team.parking.withdraw(me.number));
    } else {
      // Others may spin meanwhile. In barriers alone it is not worth while: all wake up together.
      if (has_tasks) Backoff::add_threads(-1);
      search.has_slept(sleep(me));
      if (has_tasks) Backoff::add_threads(1);
      begin_again();
    }
    if constexpr (requires { done.end_sleep(); }) done.end_sleep();
  }
  announce_completions(me);
  if (found != nullptr) make_ready(me, *found);  // the wait ended before its turn came
}

}  // namespace heddle
