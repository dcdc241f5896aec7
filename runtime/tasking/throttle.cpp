#include "tasking/throttle.hpp"

#include "icv/settings.hpp"
#include "sched/limits.hpp"
#include "sys/machine.hpp"
#include "sys/processor.hpp"
#include "tasking/complete.hpp"
#include "tasking/execute.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

bool are_others_asleep(const Member& me) {
  return me.team->parking.announced() >= me.team_size - 1;
}

// Executes one task and what follows from it. Returns false where there is none.
bool run_some(Member& me) {
  Task* task = find_task(me);
  if (task == nullptr) return false;
  execute_meanwhile(me, *task, [] { return false; });
  return true;
}

}  // namespace

Throttle initial_throttle() {
  return settings().throttle;
}

constinit CurrentThrottle g_throttle;

void set_throttle(const Throttle& wanted) {
  g_throttle.tasks.store(wanted.tasks);
  g_reasons.set(Reason::kHold, wanted.tasks == Throttle::kHold);
  g_reasons.set(Reason::kFixed, !wanted.adapts());
  const bool cuts_off = (settings().rules_off & bit(Rule::kCutoff)) == 0;
  g_throttle.nested_tasks.store(cuts_off ? wanted.nested_tasks : wanted.tasks);
  g_throttle.bytes.store(wanted.bytes);
}

void hold_back(Member& me) {
  if (me.team->order != nullptr) return;  // the order is chosen elsewhere
  const std::size_t most = g_throttle.bytes.load();
  me.hold_at = most;
  me.cache->reclaim();
  if (me.cache->bytes_in_use() <= most) return;
  if (me.context.inline_depth >= limits::kDeepestInline) return;
  const Nested here(me.context);
  std::uint64_t finished = me.team->finished();
  std::int64_t changed_at = monotonic_ns();
  while (me.cache->bytes_in_use() > most - most / 8) {
    const bool did_something = run_some(me);
    if (!did_something) yield_cpu();
    me.cache->reclaim();
    const std::int64_t now = monotonic_ns();
    const std::uint64_t finished_now = me.team->finished();
    if (did_something || finished_now != finished) {
      finished = finished_now;
      changed_at = now;
    } else if (now - changed_at > (are_others_asleep(me) ? limits::kAllAsleepNs : limits::kStalledNs)) {
      me.hold_at = me.cache->bytes_in_use() + me.cache->bytes_in_use() / 4;
      break;
    }
  }
  announce_completions(me);
}

}  // namespace heddle
