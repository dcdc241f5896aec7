#include "simulate/engine/heddle_rules.hpp"

#include "runtime/sched/throttle.hpp"

namespace heddle::simulate {
namespace {

// A creator as the policy sees it.
struct Position {
  const Creator& creator;
  ReadySet& ready;

  [[nodiscard]] int team_size() const { return creator.team_size; }
  [[nodiscard]] int inline_depth() const { return creator.worker.inline_depth; }
  [[nodiscard]] unsigned depth() const { return task()->depth; }
  [[nodiscard]] const Task* task() const { return &creator.task().task; }
  [[nodiscard]] bool children_complete() const { return creator.task().children == 0; }
  [[nodiscard]] bool has_urgent() const { return false; }
  [[nodiscard]] bool queue_holds(std::int64_t count) const {
    return ready.holds(creator.worker.number, count);
  }
  [[nodiscard]] std::int64_t queued() const { return Throttle{}.tasks; }
  [[nodiscard]] std::int64_t queued_in_recursion() const { return Throttle{}.nested_tasks; }
};

// A creator that executes others' tasks for a while leaves the background alone.
bool is_in_foreground(const SimulatedWorker& worker) {
  if (worker.frames.empty()) return false;
  const Waits waits = worker.frames.back().waits;
  return waits == Waits::kHelps || waits == Waits::kToCreateSerially;
}

}  // namespace

HeddleRules::HeddleRules(const Costs& costs, const DataHomes& homes)
    : costs_(costs), ready_(homes.workers()), lengths_(static_cast<std::size_t>(homes.workers())) {
  if (!homes.spans_some()) return;
  std::vector<Location> locations;
  for (int worker = 0; worker < homes.workers(); ++worker) {
    const auto socket = static_cast<std::int16_t>(homes.socket_of(worker));
    locations.push_back({socket, socket, socket, static_cast<std::int16_t>(worker)});
  }
  ready_.locate(std::move(locations));
}

// As the runtime's home_of() (tasking/complete.hpp).
int HeddleRules::home_of(const Task& task) const {
  const HomeTable* const homes = homes_.active();
  return homes != nullptr && task.slot != HomeTable::kNoSlot ? homes->home_of(task.slot)
                                                             : HomeTable::kNowhere;
}

void HeddleRules::begins(const SimulatedWorker& worker, const Task& task) {
  HomeTable* const homes = homes_.active();
  if (homes != nullptr && task.slot != HomeTable::kNoSlot) homes->record(task.slot, worker.number);
}

// As the runtime's run_body() (tasking/execute.cpp), with the length of each task that it would sample.
void HeddleRules::ends(const SimulatedWorker& worker, std::int64_t length) {
  TaskLengthVote& vote = lengths_[static_cast<std::size_t>(worker.number)];
  if (!vote.is_due()) return;
  const bool were_long = vote.is_long();
  vote.judge(length);
  if (vote.is_long() != were_long) homes_.set_active(!were_long);
}

bool HeddleRules::needs_no_table(const Creator& creator) {
  const Decision decision = creator.worker.policy.place(Position{creator, ready_}, true);
  return decision.where == Where::kInline && creator.task().children == 0;
}

RuntimeRules::Place HeddleRules::place(const Creator& creator, bool was_entered) {
  const Position position{creator, ready_};
  const Decision decision = was_entered ? SpawnPolicy<SimulatedClock>::place_ready(0, position)
                                        : creator.worker.policy.place(position, false);
  if (decision.where != Where::kInline) return Place::kQueue;
  return decision.why == Why::kSerialCreation ? Place::kSerial : Place::kInline;
}

Next HeddleRules::published(const Creator& creator) {
  return creator.worker.policy.published(
      [&] { return creator.task().children > many_children(Throttle{}.tasks, creator.team_size); });
}

double HeddleRules::push(const SimulatedWorker& worker, Task& task) {
  ready_.push(worker.number, task);
  return 0;
}

RuntimeRules::Found HeddleRules::take(const SimulatedWorker& worker, StartRule rule, int team_size,
                                      Reach reach) {
  Found found;
  found.cost = costs_.take;
  found.task = ready_.take_own(worker.number, rule, &found.overflowed);
  if (found.task != nullptr) return found;
  bool left_some = false;
  found.cost = costs_.steal;
  found.task = ready_.take_elsewhere(worker.number, team_size, rule, reach, &found.overflowed, &left_some);
  if (found.task == nullptr && !left_some && !is_in_foreground(worker))
    found.task = ready_.take_background(worker.number, team_size, rule, &found.overflowed);
  found.was_stolen = found.task != nullptr;
  found.may_have_missed = reach == Reach::kStartable && left_some;
  found.leaves_some = found.was_stolen && !ready_.looks_empty(team_size);
  return found;
}

}  // namespace heddle::simulate
