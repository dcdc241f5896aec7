#include "suspend/spawned.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "icv/data_environments.hpp"
#include "suspend/polling.hpp"
#include "suspend/suspension.hpp"
#include "suspend/task_sleep.hpp"
#include "sync/futex_lock.hpp"
#include "sys/machine.hpp"
#include "tasking/tasking.hpp"
#include "team/workers.hpp"

namespace heddle {
namespace {

using State = SpawnedTask::State;
using Again = SpawnedTask::Again;

// There are few, so one lock guards all lists.
struct Lists {
  FutexLock lock;
  SpawnedTask* first_ready = nullptr;
  SpawnedTask* last_ready = nullptr;
  std::vector<SpawnedTask*> asleep;
  SpawnedTask* all = nullptr;  // that have not ended: some are known to nobody else but who unblocks them
  std::vector<std::unique_ptr<const DataEnvironment>> environments;  // no two are equal
};
// Threads go on in spawned tasks until the very end of the process: it is never destroyed.
Lists& g_lists = *new Lists;

// The same settings in a place that does not go away: children of spawned tasks may outlive those.
// Requires: the lock.
const DataEnvironment& lasting(const DataEnvironment& environment) {
  for (const auto& known : g_lists.environments)
    if (*known == environment) return *known;
  return *g_lists.environments.emplace_back(std::make_unique<const DataEnvironment>(environment));
}

void push_ready(SpawnedTask& spawned) {
  spawned.state = State::kReady;
  spawned.next = nullptr;
  (g_lists.last_ready != nullptr ? g_lists.last_ready->next : g_lists.first_ready) = &spawned;
  g_lists.last_ready = &spawned;
}

void push_asleep(SpawnedTask& spawned) {
  spawned.state = State::kSleeps;
  g_lists.asleep.push_back(&spawned);
}

SpawnedTask* pop_ready() {
  SpawnedTask* const first = g_lists.first_ready;
  if (first == nullptr) return nullptr;
  g_lists.first_ready = first->next;
  if (first->next == nullptr) g_lists.last_ready = nullptr;
  first->state = State::kRuns;
  return first;
}

void wake_those_due(std::int64_t now) {
  std::erase_if(g_lists.asleep, [now](SpawnedTask* spawned) {
    if (spawned->due > now) return false;
    push_ready(*spawned);
    return true;
  });
}

void end(SpawnedTask& spawned) {
  if (spawned.completed != nullptr) spawned.completed(spawned.completed_argument);
  {
    const std::lock_guard guard(g_lists.lock);
    (spawned.previous_of_all != nullptr ? spawned.previous_of_all->next_of_all : g_lists.all) =
        spawned.next_of_all;
    if (spawned.next_of_all != nullptr) spawned.next_of_all->previous_of_all = spawned.previous_of_all;
  }
  expect_spawned(-1);
  delete &spawned;
}

bool has_pending_events(const SpawnedTask& spawned) {
  return spawned.external.events.load(std::memory_order_acquire) != 0;
}

// The body has returned; it has no stack any more.
void again(SpawnedTask& spawned) {
  switch (spawned.mode) {
    case Again::kAfter:
      spawned.due = monotonic_ns() + static_cast<std::int64_t>(spawned.mode_argument);
      return push_asleep(spawned);
    case Again::kWhenEventsCame:
      if (!has_pending_events(spawned)) return push_ready(spawned);
      spawned.state = State::kWaits;
      return;
    case Again::kAtOnce:
      return push_ready(spawned);
    case Again::kOnUnblock:
    case Again::kNever:
      if (std::exchange(spawned.is_unblocked, false)) return push_ready(spawned);
      spawned.state = State::kWaits;
  }
}

// They know it as their ancestor. The thread may be another one than before the body.
[[gnu::noinline]] void wait_for_descendants(SpawnedTask& spawned) {
  wait_for_group(this_member(), spawned.descendants);
  forget_dependences(this_member(), spawned.task);
}

}  // namespace

SpawnedTask* SpawnedTask::of(Task& task) {
  if (!task.is_implicit() || &task == &static_cast<Member*>(task.data)->implicit_task) return nullptr;
  return static_cast<SpawnedTask*>(task.code);
}

void spawn(Member& me, void (*body)(void*), void* argument, void (*completed)(void*),
           void* completed_argument, const char* label) {
  auto* const spawned = new SpawnedTask;
  spawned->body = body;
  spawned->argument = argument;
  spawned->completed = completed;
  spawned->completed_argument = completed_argument;
  if (label != nullptr) spawned->label = label;
  spawned->task.flags = Task::kImplicit;
  spawned->task.code = spawned;  // of implicit tasks theirs alone have one
  spawned->task.data = &me;
  spawned->task.group = &spawned->descendants;
  spawned->external.task = &spawned->task;
  spawned->external.spawned = spawned;
  expect_spawned(1);
  {
    const std::lock_guard guard(g_lists.lock);
    spawned->environment = &lasting(environment_of(me));
    spawned->next_of_all = g_lists.all;
    if (g_lists.all != nullptr) g_lists.all->previous_of_all = spawned;
    g_lists.all = spawned;
    push_ready(*spawned);
  }
  for (const Member* place = &me; place != nullptr; place = outer_place(*place))
    place->team->parking.wake_one(place->team_size);
}

namespace {

bool run_spawned(Member& from, Member& place, std::int64_t now) {
  SpawnedTask* spawned;
  {
    const std::lock_guard guard(g_lists.lock);
    wake_those_due(now);
    spawned = pop_ready();
  }
  if (spawned == nullptr) return false;
  // What it creates here belongs to this team. It has no owner: it may go on elsewhere, in a place of the
  // same number.
  spawned->task.data = &place;
  spawned->task.environment = spawned->environment;
  go_on_in(from, place, *spawned);
  return true;
}

}  // namespace

bool attend_spawned(Member& me, std::int64_t now) {
  Worker& worker = *me.worker;
  Member& place = spawn_place(worker);
  if (&me == &place) return run_spawned(me, me, now);
  std::atomic<Member*>& visitor = place.team->visitor;
  Member* const before = visitor.load(std::memory_order_relaxed);
  visitor.store(&me, std::memory_order_release);  // release: pairs with the acquire in outer_place()
  worker.member = &place;
  bool was_any = false;
  if (before == nullptr) {  // not inside a region of a spawned task
    was_any = wake_sleepers(place, now);
    was_any |= let_next_go_on_in(me, place);
    if (Task* const task = find_task(place, Look::kLast)) {
      run_apart_in(me, place, *task);
      was_any = true;
    }
  }
  was_any |= run_spawned(me, place, now);
  worker.member = &me;
  visitor.store(before, std::memory_order_release);
  return was_any;
}

std::int64_t next_due_in_spawn_place(const Member& me) {
  constexpr std::int64_t kLongestNs = 1'000'000;  // who lets something there go on wakes nobody
  const Team* const team = me.worker->spawn_team.get();
  if (team == nullptr || team == me.team || team->visitor.load(std::memory_order_relaxed) != nullptr)
    return INT64_MAX;
  const Member& place = team->members[0];
  if (!has_work_in_spawn_place(place)) return INT64_MAX;
  return std::min(next_sleeper_due(place), monotonic_ns() + kLongestNs);
}

std::int64_t next_spawned_due() {
  const std::lock_guard guard(g_lists.lock);
  if (g_lists.first_ready != nullptr) return 0;
  std::int64_t earliest = INT64_MAX;
  for (const SpawnedTask* spawned : g_lists.asleep) earliest = std::min(earliest, spawned->due);
  return earliest;
}

void block_spawned(SpawnedTask& spawned) {
  {
    const std::lock_guard guard(g_lists.lock);
    if (std::exchange(spawned.is_unblocked, false)) return;
    spawned.state = State::kLeavesToWait;
  }
  leave_spawned(spawned);
}

void sleep_spawned(SpawnedTask& spawned, std::int64_t ns) {
  spawned.due = monotonic_ns() + ns;
  spawned.state = State::kLeavesToSleep;
  leave_spawned(spawned);
}

bool unblock_spawned(SpawnedTask& spawned) {
  const std::lock_guard guard(g_lists.lock);
  if (spawned.state == State::kWaits)
    push_ready(spawned);
  else if (std::exchange(spawned.is_unblocked, true))
    return false;
  return true;
}

void has_left(SpawnedTask& spawned) {
  const std::lock_guard guard(g_lists.lock);
  if (spawned.state == State::kLeavesToSleep)
    push_asleep(spawned);
  else if (std::exchange(spawned.is_unblocked, false))
    push_ready(spawned);
  else
    spawned.state = State::kWaits;
}

void run_spawned_body(SpawnedTask& spawned) {
  spawned.body(spawned.argument);
  wait_for_descendants(spawned);
  bool has_ended = false;
  {
    const std::lock_guard guard(g_lists.lock);
    spawned.stack = nullptr;  // it is its thread's again
    if (std::exchange(spawned.runs_again, false)) {
      again(spawned);
    } else {
      spawned.state = State::kEnded;
      has_ended = !has_pending_events(spawned);
    }
  }
  if (has_ended) end(spawned);
}

void decrease_events_of_spawned(SpawnedTask& spawned, std::uint64_t count) {
  bool has_ended = false;
  {
    const std::lock_guard guard(g_lists.lock);
    if (spawned.external.events.fetch_sub(count, std::memory_order_acq_rel) != count) return;
    // One with a stack has blocked within its body, whatever is to happen behind that.
    if (spawned.state == State::kWaits && spawned.stack == nullptr && spawned.mode == Again::kWhenEventsCame)
      push_ready(spawned);
    else
      has_ended = spawned.state == State::kEnded;
  }
  if (has_ended) end(spawned);
}

}  // namespace heddle
