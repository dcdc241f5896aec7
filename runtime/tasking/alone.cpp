#include "tasking/alone.hpp"

#include "icv/settings.hpp"
#include "suspend/suspension.hpp"
#include "sys/relax.hpp"
#include "sys/ticks.hpp"
#include "tasking/completion.hpp"
#include "tasking/execution.hpp"

namespace heddle {
namespace {

// Executes what is ready until the current task's children are complete, wherever they went. Gives up where
// they are not soon: some may wait for what the current task does later.
bool complete_children(Member& me) {
  constexpr std::uint64_t kPatienceUs = 20, kMostUs = 500;
  const Task& parent = *me.context.task;
  if (may_suspend() && !can_leave(me)) return false;
  const std::uint64_t began = ticks();
  std::uint64_t got_on_at = began;
  const Nested here(me.context);
  while (!parent.children_complete()) {
    if (Task* const task = find_task(me, Look::kForeground)) {
      execute_meanwhile(me, *task, [&] { return parent.children_complete(); });
      got_on_at = ticks();
    } else {
      cpu_relax();
    }
    const std::uint64_t now = ticks();
    if (now - got_on_at > kPatienceUs * ticks_per_us() || now - began > kMostUs * ticks_per_us()) break;
  }
  announce_completions(me);
  return parent.children_complete();
}

}  // namespace

void try_alone(Member& me) {
  const bool is_off = (settings().rules_off & bit(Rule::kAlone)) != 0;
  if (is_off || !is_alone_better(me)) return me.policy.alone.stay();
  if (!complete_children(me)) return me.policy.alone.postpone();
  me.policy.alone.begin(me.context.task);
}

}  // namespace heddle
