#include "replay/pipeline.hpp"

#include "icv/settings.hpp"
#include "sys/ticks.hpp"
#include "tasking/create.hpp"

namespace heddle {
namespace {

bool is_on(Rule rule) {
  return (settings().rules_off & bit(rule)) == 0;
}

// As tasks would be executed at their creation. A tool is told of each.
bool may_execute_in_turn(const Member& me, const Record& record) {
  return !has_tool() && record.may_be_executed_in_turn() && may_execute_in_turn(me);
}

}  // namespace

static_assert(-static_cast<std::int32_t>(ReplayPipeline::kInstances) >
              Task::kBackground);  // what lags comes before

void ReplayPipeline::make_ring(const Member& me) {
  const Graph& graph = record_.graph(bundles_for(me));
  const std::size_t count = graph.overlaps() && is_on(Rule::kOverlap) ? kInstances : 1;
  for (std::size_t i = 0; i < count; ++i)
    instances_.push_back(std::make_unique<ReplayInstance>(graph, i == 0));
  if (count == 1) return;
  for (std::size_t i = 0; i < count; ++i) instances_[i]->join(ring_, *instances_[(i + 1) % count]);
}

bool ReplayPipeline::needs_graph(const Member& me) const {
  return me.team_size > 1 && record_.graph() == nullptr && !choice_.begins_in_turn();
}

void ReplayPipeline::begin(Member& me, bool is_awaited) {
  if (me.team_size == 1 && may_execute_in_turn(me, record_)) {
    wait(me);
    return execute_in_turn(me, record_);
  }
  begin_shared(me, is_awaited);
}

ReplayInstance& ReplayPipeline::begin_shared(Member& me, bool is_awaited) {
  if (instances_.empty()) make_ring(me);
  ReplayInstance& instance = *instances_[ring_.begun % instances_.size()];
  wait_for(me, instance);
  instance.lengths.begin_round();
  start(me, instance, is_awaited ? nullptr : me.context.task->group);
  return instance;
}

void ReplayPipeline::execute(Member& me) {
  if (!is_on(Rule::kInTurn) || !may_leave_unshared(me) || !may_execute_in_turn(me, record_)) {
    begin(me, true);
    return wait(me);
  }
  wait(me);
  const std::uint64_t began = ticks();
  if (choice_.prefers_turn(record_.tasks(), me.team_size)) {
    execute_in_turn(me, record_);
    return choice_.took_in_turn(nanoseconds(ticks() - began));
  }
  // That takes its time, and its tasks' memory is touched for the first time.
  const bool makes_graph = instances_.empty();
  ReplayInstance& instance = begin_shared(me, true);
  wait(me);
  if (!makes_graph) choice_.took_shared(nanoseconds(ticks() - began), instance.lengths.estimate());
}

void ReplayPipeline::wait(Member& me) {
  for (const auto& instance : instances_) wait_for(me, *instance);
}

}  // namespace heddle
