#include "suspend/sleepers.hpp"

#include <algorithm>
#include <functional>

#include "suspend/attention.hpp"

namespace heddle {

void add_sleeper(Member& me, Suspension& self, std::int64_t due) {
  std::vector<SuspendedTasks::Sleeper>& sleepers = me.suspended.sleepers;
  sleepers.emplace_back(due, &self);
  std::push_heap(sleepers.begin(), sleepers.end(), std::greater<>());
  g_attention.fetch_add(1, std::memory_order_relaxed);
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
