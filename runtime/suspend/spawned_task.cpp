#include "suspend/spawned_task.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "suspend/poll_count.hpp"
#include "suspend/work.hpp"
#include "sync/process_lock.hpp"
#include "sys/fatal.hpp"
#include "sys/machine.hpp"
#include "team/team.hpp"
#include "trace/tool.hpp"

namespace heddle {
namespace {

using State = SpawnedTask::State;
using Again = SpawnedTask::Again;

// There are few, so one lock guards all lists.
struct Lists {
  ProcessLock lock;
  SpawnedTask* first_ready = nullptr;
  SpawnedTask* last_ready = nullptr;
  std::vector<SpawnedTask*> asleep;
  SpawnedTask* all =
      nullptr;  // that have not ended: some are known only to the thread that will unblock them
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
  return spawned.external.events.count() != 0;
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
  work().wait_for_descendants(this_member(), spawned.task, spawned.descendants);
}

}  // namespace

SpawnedTask* SpawnedTask::of(const Task& task) {
  return task.is_implicit() ? implicit(task).spawned : nullptr;
}

void add_spawned(SpawnedTask& spawned, const DataEnvironment& environment) {
  if (has_tool()) [[unlikely]] {
    warn("a library spawns tasks beside OpenMP, which tools do not see (not yet): the tool ends here");
    g_end_tool();
  }
  expect_spawned(1);
  const std::lock_guard guard(g_lists.lock);
  spawned.environment = &lasting(environment);
  spawned.next_of_all = g_lists.all;
  if (g_lists.all != nullptr) g_lists.all->previous_of_all = &spawned;
  g_lists.all = &spawned;
  push_ready(spawned);
}

SpawnedTask* take_spawned(std::int64_t now) {
  const std::lock_guard guard(g_lists.lock);
  wake_those_due(now);
  return pop_ready();
}

std::int64_t next_spawned_due() {
  const std::lock_guard guard(g_lists.lock);
  if (g_lists.first_ready != nullptr) return 0;
  std::int64_t earliest = INT64_MAX;
  for (const SpawnedTask* spawned : g_lists.asleep) earliest = std::min(earliest, spawned->due);
  return earliest;
}

bool begins_to_block(SpawnedTask& spawned) {
  const std::lock_guard guard(g_lists.lock);
  if (std::exchange(spawned.is_unblocked, false)) return false;
  spawned.state = State::kLeavesToWait;
  return true;
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
    if (!spawned.external.events.done(count)) return;
    // One with a stack has blocked within its body, whatever is to happen behind that.
    if (spawned.state == State::kWaits && spawned.stack == nullptr && spawned.mode == Again::kWhenEventsCame)
      push_ready(spawned);
    else
      has_ended = spawned.state == State::kEnded;
  }
  if (has_ended) end(spawned);
}

}  // namespace heddle
