#include "tasking/order_point.hpp"

#include "suspend/suspension.hpp"
#include "tasking/chosen_order.hpp"
#include "tasking/completion.hpp"
#include "tasking/execution.hpp"

namespace heddle {
bool stand_at_point(Member& me) {
  hesitate(me);
  Task& current = *me.context.task;
  const Nested here(me.context);
  const bool is_deep = me.context.inline_depth > limits::kDeepestInline;
  bool was_any = false;
  while (Task* task =
             me.team->order->take_at_point(current, me.rule(), me.number, me.team_size > 1, is_deep)) {
    if (may_suspend())
      run_apart(me, *task);
    else
      execute(me, *task);
    announce_completions(me);
    was_any = true;
  }
  return was_any;
}

}  // namespace heddle
