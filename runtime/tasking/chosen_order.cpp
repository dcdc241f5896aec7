#include "tasking/chosen_order.hpp"

#include "sys/machine.hpp"
#include "sys/relax.hpp"

namespace heddle {
void hesitate(Member& me) {
  if (me.team_size == 1) return;
  const std::int64_t delay_ns = std::int64_t{me.team->order->delay_us()} * 1000;
  if (delay_ns == 0) return;
  for (const std::int64_t until = monotonic_ns() + delay_ns; monotonic_ns() < until;) yield_cpu();
}

void run_body_in_order(Member& me, Task& task) {
  TeamOrder& order = *me.team->order;
  hesitate(me);
  order.starts(task, me.number);
  task.body(task);
  order.ends(task, me.number);
}

}  // namespace heddle
