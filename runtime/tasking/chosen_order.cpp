#include "tasking/chosen_order.hpp"

#include "icv/settings.hpp"
#include "suspend/suspension.hpp"
#include "sys/machine.hpp"
#include "sys/relax.hpp"
#include "tasking/tasking.hpp"

namespace heddle {
namespace {

OrderPolicy policy_of(const OrderChoice& choice) {
  switch (choice.kind) {
    case OrderChoice::Kind::kFuzz:
      return OrderPolicy::fuzz(choice.seed);
    case OrderChoice::Kind::kReplay:
      return OrderPolicy::replay(read_order(choice.file).value_or(std::vector<std::string>()));
    case OrderChoice::Kind::kNatural:
      break;
  }
  return OrderPolicy::serial();
}

ChosenOrder* make_chosen_order() {
  const Settings& s = settings();
  if (s.order.kind == OrderChoice::Kind::kNatural && s.order_log.empty()) return nullptr;
  return new ChosenOrder(policy_of(s.order), s.order_log);
}

void hesitate(Member& me) {
  if (me.team_size == 1) return;
  const std::int64_t delay_ns = std::int64_t{me.team->order->delay_us()} * 1000;
  if (delay_ns == 0) return;
  for (const std::int64_t until = monotonic_ns() + delay_ns; monotonic_ns() < until;) yield_cpu();
}

}  // namespace

std::unique_ptr<TeamOrder> make_team_order() {
  static ChosenOrder* const whole =
      make_chosen_order();  // never destroyed: teams are used until the very end
  return whole != nullptr ? std::make_unique<TeamOrder>(*whole) : nullptr;
}

bool stand_at_point(Member& me) {
  hesitate(me);
  Task& current = *me.current;
  const Suspended here(me);
  const bool is_deep = ++me.inline_depth > kDeepestInline;
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
  --me.inline_depth;
  return was_any;
}

void run_body_in_order(Member& me, Task& task) {
  TeamOrder& order = *me.team->order;
  hesitate(me);
  order.starts(task, me.number);
  task.body(task);
  order.ends(task, me.number);
}

}  // namespace heddle
