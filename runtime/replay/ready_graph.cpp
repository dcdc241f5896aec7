#include "replay/ready_graph.hpp"

#include <memory>

#include "icv/settings.hpp"
#include "replay/replay.hpp"
#include "replay/taskgraph.hpp"

namespace heddle {
namespace {

using State = GraphSlot::State;

// A final task's tasks are included: executed at once, by its thread. What of a graph a cancellation would
// discard is not known to who waits for it.
bool is_executed_in_turn(const Member& me) {
  return me.context.task->is_final() || settings().is_cancellable;
}

}  // namespace

ReadyGraph* make_ready_graph(Member& me, const ReadyMade& graph, const void* where, const char** wrong) {
  Recording recording;
  if ((*wrong = record(graph, recording)) != nullptr) return nullptr;
  auto made = std::make_unique<ReadyGraph>(where);
  const Bundles bundles = bundles_for(me);
  made->slot.keep(std::make_unique<Record>(recording, bundles, made->slot.origin()), bundles, 0, 0);
  made->slot.pipeline->prepare(me);
  made->slot.state.store(State::kRecorded, std::memory_order_release);
  made->slot.add_to_log();
  return made.release();
}

void execute_ready_graph(Member& me, ReadyGraph& graph) {
  if (is_recording(me)) refuse_to_record(me, "a ready-made graph is executed in it (not yet)");
  GraphSlot& slot = graph.slot;
  slot.executions.fetch_add(1, std::memory_order_relaxed);
  if (is_executed_in_turn(me)) return execute_in_turn(me, *slot.record);
  State state = State::kRecorded;
  if (slot.state.compare_exchange_strong(state, State::kBusy, std::memory_order_acquire)) {
    slot.log("executed");
    slot.pipeline->execute(me);
    slot.state.store(State::kRecorded, std::memory_order_release);
  } else {
    slot.log("executed beside another execution of it");
    ReplayPipeline(*slot.record).execute(me);
  }
}

void free_ready_graph(ReadyGraph* graph) {
  graph->slot.forget();
  graph->slot.remove_from_log();
  delete graph;
}

}  // namespace heddle
