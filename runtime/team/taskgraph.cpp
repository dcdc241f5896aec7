#include "team/taskgraph.hpp"

#include <cstdarg>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "base/address_hash.hpp"
#include "deps/dependence_table.hpp"
#include "sys/fatal.hpp"
#include "team/at_once.hpp"
#include "team/flight.hpp"
#include "team/settings.hpp"
#include "team/tasking.hpp"

namespace heddle {

struct GraphSlot {
  enum class State : std::uint8_t { kEmpty, kBusy, kRecorded, kRefused };

  GraphSlot(std::uint64_t graph_id, const void* its_frame, std::uint64_t its_regions)
      : id(graph_id), frame(its_frame), regions(its_regions) {}
  const std::uint64_t id;
  const void* const frame;
  const std::uint64_t regions;
  GraphSlot* next = nullptr;
  std::atomic<State> state{State::kEmpty};
  // Of who made it busy.
  std::unique_ptr<Graph> graph;
  std::optional<Flight> flight;
  const Task* in_flight = nullptr;  // whose children are executing it, where they are not awaited
  std::uint64_t replays = 0;
};

namespace {

using State = GraphSlot::State;

// A function that is called from everywhere has as many frames; each keeps a graph.
constexpr int kMostSlots = 256;

[[gnu::format(printf, 2, 3)]] void log(const GraphSlot& slot, const char* format, ...) {
  if (!settings().logs_graphs) [[likely]]
    return;
  char text[160];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  notice("graph %llu of frame %p: %s", static_cast<unsigned long long>(slot.id), slot.frame, text);
}

// The frame of a worker's part of a region is always the same. What is shared there lies in the frames of
// those who opened the region and those around it, where their arguments lie as well.
std::uint64_t regions_around(const Member& me) {
  std::uint64_t mixed = 0;
  for (const Member* at = &me; at != nullptr; at = at->team->encountering)
    mixed = hash_of(mixed ^ reinterpret_cast<std::uintptr_t>(at->team->argument));
  return mixed;
}

// Returns nullptr where the construct has enough.
GraphSlot* find_slot(const Member& me, GraphConstruct& construct, const TaskgraphClauses& clauses) {
  const std::uint64_t regions = regions_around(me);
  // acquire: pairs with the release below
  GraphSlot* const first = construct.slots.load(std::memory_order_acquire);
  int slots = 0;
  for (GraphSlot* slot = first; slot != nullptr; slot = slot->next, ++slots)
    if (slot->id == clauses.id && slot->frame == clauses.frame && slot->regions == regions) return slot;
  if (slots >= kMostSlots) return nullptr;
  auto* const fresh = new GraphSlot(clauses.id, clauses.frame, regions);
  // Another thread may make one for the same frame only if it has the same stack: it cannot.
  fresh->next = first;
  while (!construct.slots.compare_exchange_weak(fresh->next, fresh, std::memory_order_release,
                                                std::memory_order_relaxed))
    continue;
  return fresh;
}

void give_back(GraphSlot& slot, State state) {
  slot.in_flight = nullptr;
  slot.state.store(state, std::memory_order_release);
}

// What siblings from outside wait for, and are waited for, a graph does not know.
void wait_for_dependent_siblings(Member& me) {
  const Task& task = *me.current;
  if (task.child_table != nullptr && !task.child_table->is_empty() && !task.children_complete()) taskwait(me);
}

void open_region(Member& me, const GraphConstruct& construct, const TaskgraphClauses& clauses,
                 GraphSlot* recorded) {
  if (!clauses.nogroup) taskgroup_begin(me);
  me.taskgraph = new TaskgraphRegion{me.taskgraph, me.current,          &construct,      clauses.id,
                                     recorded,     recorded != nullptr, clauses.nogroup, {}};
  if (recorded == nullptr) return;
  me.taskgraph->recording.copies_are_bytes = clauses.copies_are_bytes;
  me.taskgraph->recording.overlaps = clauses.nogroup;
  add_reason_to_defer(1);
}

// Executes the record of a slot that this encounter has made busy, and gives it back when that is over.
void execute_record(Member& me, GraphSlot& slot, bool nogroup) {
  slot.flight->begin(me, !nogroup);
  if (nogroup) {
    slot.in_flight = me.current;
    me.flight = &slot;
    return;
  }
  slot.flight->wait(me);
  give_back(slot, State::kRecorded);
}

void replay(Member& me, GraphSlot& slot, bool nogroup) {
  ++slot.replays;
  log(slot, "replayed, %llu times so far", static_cast<unsigned long long>(slot.replays));
  execute_record(me, slot, nogroup);
}

const char* reason_against(const Task& task) {
  // What it shares with its creator lies where only its data say, which may change from one task to the next.
  if (!task.is_implicit()) return "an explicit task executes it (not yet)";
  if (settings().is_cancellable) return "cancellation is on (not yet)";
  return nullptr;
}

// Executes what was noted and not executed yet. Other tasks may be executed at their creation meanwhile.
void execute_noted(Member& me) {
  Recording& recording = me.taskgraph->recording;
  if (recording.executed() == recording.nodes().size()) return;
  const Graph graph(recording, recording.executed());
  recording.set_executed();
  add_reason_to_defer(-1);
  Flight flight(graph);
  flight.begin(me, true);
  flight.wait(me);
  add_reason_to_defer(1);
}

void keep(GraphSlot& slot, Recording& recording) {
  slot.graph = std::make_unique<Graph>(recording);
  slot.flight.emplace(*slot.graph);
  slot.replays = 0;
  log(slot, "recorded %zu tasks, %zu edges, %zu segments, %zu roots", slot.graph->tasks(), recording.edges(),
      slot.graph->segments().size(), slot.graph->roots().size());
  if (recording.overlaps && !slot.graph->overlaps())
    log(slot, "its executions follow one another: it waits within, or each waits for most of the one before");
}

}  // namespace

bool enter_taskgraph(Member& me, GraphConstruct& construct, const TaskgraphClauses& clauses) {
  if (is_recording(me)) refuse_to_record(me, "another taskgraph region is in it");
  GraphSlot* const slot = clauses.if_clause ? find_slot(me, construct, clauses) : nullptr;
  const char* against = reason_against(*me.current);
  if (slot == nullptr || against != nullptr) {
    if (slot != nullptr) log(*slot, "executed plainly: %s", against);
    open_region(me, construct, clauses, nullptr);
    return true;
  }
  if (me.flight == slot && slot->in_flight == me.current && !clauses.resets) {
    replay(me, *slot, clauses.nogroup);
    if (!clauses.nogroup) me.flight = nullptr;
    return false;
  }
  if (me.flight != nullptr) wait_for_flight(me);
  // acquire: pairs with the release of who was busy with it
  State state = slot->state.load(std::memory_order_acquire);
  const bool is_free = state != State::kBusy && (state != State::kRefused || clauses.resets);
  if (!is_free || !slot->state.compare_exchange_strong(state, State::kBusy, std::memory_order_acquire)) {
    log(*slot, state == State::kRefused ? "executed plainly: not replayable"
                                        : "executed plainly: another encounter is in it");
    open_region(me, construct, clauses, nullptr);
    return true;
  }
  wait_for_dependent_siblings(me);
  if (state == State::kRecorded && !clauses.resets) {
    replay(me, *slot, clauses.nogroup);
    return false;
  }
  if (clauses.resets && slot->graph != nullptr) log(*slot, "reset");
  slot->flight.reset();
  slot->graph.reset();
  open_region(me, construct, clauses, slot);
  return true;
}

void leave_taskgraph(Member& me) {
  TaskgraphRegion& left = *me.taskgraph;
  // Nothing is left to be executed where the body ended with a wait.
  const bool is_first = left.records && left.recording.executed() == 0;
  if (left.records && !is_first) execute_noted(me);
  const std::unique_ptr<TaskgraphRegion> region(std::exchange(me.taskgraph, left.outer));
  if (GraphSlot* const slot = region->slot) {
    add_reason_to_defer(-1);
    if (region->records) keep(*slot, region->recording);
    if (is_first)
      execute_record(me, *slot, region->nogroup);
    else
      give_back(*slot, region->records ? State::kRecorded : State::kRefused);
  }
  if (!region->nogroup) taskgroup_end(me);
}

void wait_for_flight(Member& me) {
  GraphSlot& slot = *me.flight;
  if (slot.in_flight != me.current) return;  // the children of another task are no siblings
  slot.flight->wait(me);
  forget_flight(me);
}

void forget_flight(Member& place) {
  GraphSlot& slot = *std::exchange(place.flight, nullptr);
  give_back(slot, State::kRecorded);
}

bool is_in_taskgraph(const Member& me, const GraphConstruct& construct, std::uint64_t id) {
  const TaskgraphRegion* const region = me.taskgraph;
  return region != nullptr && region->task == me.current && region->construct == &construct &&
         region->id == id;
}

bool note_task(Member& me, const TaskBody& body, std::span<const Dependence> dependences,
               bool is_undeferred) {
  if (me.request.handle != nullptr) {
    refuse_to_record(me, "a task has a handle");
    return false;
  }
  Recording& recording = me.taskgraph->recording;
  if (is_undeferred) {
    execute_noted(me);
    recording.add_task(body, dependences, Recording::Gate::kYes);
    recording.set_executed();
    return false;
  }
  if (me.request.is_empty()) [[likely]] {
    recording.add_task(body, dependences, Recording::Gate::kNo);
  } else {
    TaskBody background = body;
    background.priority = Task::kBackground;
    take_request(me);
    recording.add_task(background, dependences, Recording::Gate::kNo);
  }
  if (recording.nodes().size() >= Recording::kMostNodes)
    refuse_to_record(me, "it has more than 16 million tasks");
  return true;
}

void note_wait(Member& me) {
  me.taskgraph->recording.add_wait();
  execute_noted(me);
}

void note_wait(Member& me, std::span<const Dependence> dependences) {
  me.taskgraph->recording.add_wait(dependences);
  execute_noted(me);
}

void note_group_begin(Member& me) {
  me.taskgraph->recording.begin_group();
}

void note_group_end(Member& me) {
  me.taskgraph->recording.end_group();
  execute_noted(me);
}

void refuse_to_record(Member& me, const char* reason) {
  execute_noted(me);
  me.taskgraph->records = false;
  log(*me.taskgraph->slot, "not replayable: %s", reason);
}

}  // namespace heddle
