#include "team/team.hpp"

#include "icv/settings.hpp"
#include "sys/machine.hpp"
#include "trace/tool.hpp"

namespace heddle {

constinit Reasons g_reasons;

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

// Where the order is chosen or logged, the team's learns what happens to tasks.
class OrderObserver final : public Observer {
 public:
  void task_made(Task& task, const void* code) override { order().created(task, code); }
  void task_begins(Task& task, Task&) override {
    order().hesitate(this_member().team_size);
    order().starts(task, this_member().number);
  }
  void task_ends(Task& task, Task&) override { order().ends(task, this_member().number); }
  void undeferred_task_begins(Task& task) override { order().starts_undeferred(task, this_member().number); }

 private:
  static TeamOrder& order() { return *this_member().team->order; }
};

ChosenOrder* start_chosen_order() {
  static constinit OrderObserver observer;
  ChosenOrder* const order = make_chosen_order();
  if (order != nullptr) add_observer(observer);
  return order;
}

// For a new team; null where the environment leaves the order to the runtime.
std::unique_ptr<TeamOrder> make_team_order() {
  static ChosenOrder* const whole = start_chosen_order();  // never destroyed: teams are used to the very end
  return whole != nullptr ? std::make_unique<TeamOrder>(*whole) : nullptr;
}

}  // namespace

Team::Team(int capacity)
    : places(capacity),
      order(make_team_order()),
      opening(capacity),
      barrier(capacity),
      quiescence(capacity),
      cancellable_barrier(capacity),
      ready(capacity),
      parking(capacity),
      members(static_cast<std::size_t>(capacity)) {
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].team = this;
    members[i].number = static_cast<int>(i);
    if (order != nullptr) members[i].reasons.add(Reason::kChosenOrder);  // for good
    members[i].is_observed = order != nullptr || has_tool();
  }
  for (std::size_t i = 0; i < workshares.size(); ++i) workshares[i].turn.restart(i);
}

std::uint64_t Team::created() const {
  std::uint64_t sum = 0;
  for (const Member& member : members) sum += member.tasks.created();
  return sum;
}

std::uint64_t Team::finished() const {
  std::uint64_t sum = finished_outside.finished();
  for (const Member& member : members) sum += member.tasks.finished();
  return sum;
}

void Team::add_reason(Reason reason) {
  for (Member& member : members) member.reasons.add(reason);
}

void Team::remove_reason(Reason reason) {
  for (Member& member : members) member.reasons.remove(reason);
}

bool Team::is_quiescent() const {
  // Finished first, created second: if the sums agree, no task was incomplete at the moment between the two.
  const std::uint64_t before = finished();
  return before == created();
}

namespace {

// No task but the current one can have the current environment.
bool is_alone(const Member& me) {
  const Team& team = *me.team;
  if (!me.context.task->is_implicit()) return false;
  return !team.has_tasks.load() || (me.team_size == 1 && team.is_quiescent());
}

}  // namespace

const DataEnvironment& environment_of(const Member& me) {
  return *me.context.task->environment;
}

void set_environment(Member& me, const DataEnvironment& wanted) {
  if (wanted == environment_of(me)) return;
  if (me.environments.keeps(me.context.task->environment) && is_alone(me)) me.environments.forget();
  me.context.task->environment = &me.environments.keep(wanted);
}

}  // namespace heddle
