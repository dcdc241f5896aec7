#include "suspend/task_sleep.hpp"

#include <algorithm>
#include <functional>

#include "suspend/polling.hpp"
#include "suspend/spawned.hpp"
#include "suspend/suspension.hpp"
#include "sys/machine.hpp"

namespace heddle {

std::int64_t sleep_task(Member& me, std::int64_t ns, const void* lock) {
  expect_suspension();
  const std::int64_t began = monotonic_ns();
  if (SpawnedTask* const spawned = SpawnedTask::of(*me.current)) {
    sleep_spawned(*spawned, std::max<std::int64_t>(ns, 0));
    return monotonic_ns() - began;
  }
  Suspension self(me, lock != nullptr ? WaitsFor::kLock : WaitsFor::kTime, lock);
  std::vector<SuspendedTasks::Sleeper>& sleepers = me.suspended.sleepers;
  sleepers.emplace_back(began + std::max<std::int64_t>(ns, 0), &self);
  std::push_heap(sleepers.begin(), sleepers.end(), std::greater<>());
  g_attention.fetch_add(1, std::memory_order_relaxed);
  suspend(self);
  return monotonic_ns() - began;
}

bool wake_sleepers(Member& me, std::int64_t now) {
  std::vector<SuspendedTasks::Sleeper>& sleepers = me.suspended.sleepers;
  bool was_any = false;
  while (!sleepers.empty() && sleepers.front().first <= now) {
    std::pop_heap(sleepers.begin(), sleepers.end(), std::greater<>());
    me.suspended.next.push_own(*sleepers.back().second);
    sleepers.pop_back();
    g_attention.fetch_sub(1, std::memory_order_relaxed);
    was_any = true;
  }
  return was_any;
}

std::int64_t next_sleeper_due(const Member& me) {
  const std::vector<SuspendedTasks::Sleeper>& sleepers = me.suspended.sleepers;
  return sleepers.empty() ? INT64_MAX : sleepers.front().first;
}

}  // namespace heddle
