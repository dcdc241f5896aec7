#include "team/taskgraph.hpp"

#include <memory>
#include <utility>

#include "base/address_hash.hpp"
#include "deps/dependence_table.hpp"
#include "sys/fatal.hpp"
#include "team/at_once.hpp"
#include "team/graph_slot.hpp"
#include "team/settings.hpp"
#include "team/tasking.hpp"

namespace heddle {

namespace {

using State = GraphSlot::State;

// The frame of a worker's part of a region is always the same. What is shared there lies in the frames of
// those who opened the region and those around it, where their arguments lie as well.
std::uint64_t regions_around(const Member& me) {
  std::uint64_t mixed = 0;
  for (const Member* at = &me; at != nullptr; at = at->team->encountering)
    mixed = hash_of(mixed ^ reinterpret_cast<std::uintptr_t>(at->team->argument));
  return mixed;
}

// What siblings from outside wait for, and are waited for, a graph does not know. Those without dependences
// may go on: they may wait for what the current task does later.
void wait_for_dependent_siblings(Member& me) {
  const Task& task = *me.current;
  if (task.child_table == nullptr || task.child_table->is_empty() || task.children_complete()) return;
  const Dependence all{nullptr, AccessKind::kOut, true};
  taskwait_depend(me, {&all, 1});
}

void open_region(Member& me, const GraphConstruct& construct, const TaskgraphClauses& clauses,
                 GraphSlot* recorded) {
  if (!clauses.nogroup) taskgroup_begin(me);
  me.taskgraph = new TaskgraphRegion{me.taskgraph,        me.current,      &construct, clauses.id, recorded,
                                     recorded != nullptr, clauses.nogroup, {},         {}};
  if (recorded == nullptr) return;
  me.taskgraph->recording.copies_are_bytes = clauses.copies_are_bytes;
  me.taskgraph->recording.overlaps = clauses.nogroup;
  me.taskgraph->leaves_out_next = me.taskgraph->leaves_out_unmarked = clauses.relocates;
  recorded->captures = clauses.captures;
  add_reason_to_defer(1);
}

// Executes the record of a slot that this encounter has made busy, and gives it back when that is over.
void execute_record(Member& me, GraphSlot& slot, bool nogroup) {
  // A team of one executes tasks where it waits; outside parallel regions that may be nowhere.
  if (nogroup && me.team_size > 1) {
    slot.flight->begin(me, false);
    slot.in_flight = me.current;
    me.flight = &slot;
    return;
  }
  slot.flight->execute(me);
  slot.give_back(State::kRecorded);
}

void replay(Member& me, GraphSlot& slot, const TaskgraphClauses& clauses) {
  const std::uint64_t replays = slot.executions.fetch_add(1, std::memory_order_relaxed);
  slot.log("replayed, %llu times so far", static_cast<unsigned long long>(replays));
  slot.captures = clauses.captures;
  execute_record(me, slot, clauses.nogroup);
}

const char* reason_against(const Task& task, const TaskgraphClauses& clauses) {
  // What it shares with its creator lies where only its data say, which may change from one task to the next.
  if (!task.is_implicit() && !clauses.relocates) return "an explicit task executes it (not yet)";
  // They lie in the frame of the encountering function, which may return before the tasks begin.
  if (clauses.relocates && clauses.nogroup) return "it has nogroup, and finds what it shares anew (not yet)";
  if (task.is_final()) return "it is in a final task, whose tasks are included";
  if (settings().is_cancellable) return "cancellation is on (not yet)";
  return nullptr;
}

// Executes what was noted and not executed yet. Other tasks may be executed at their creation meanwhile.
void execute_noted(Member& me) {
  Recording& recording = me.taskgraph->recording;
  if (recording.executed() == recording.nodes().size()) return;
  {
    const NotRecording here(me);
    wait_for_dependent_siblings(me);  // tasks that were left out
  }
  TaskgraphRegion::Noted noted(recording, bundles_for(me));
  recording.set_executed();
  add_reason_to_defer(-1);
  noted.flight.execute(me);
  add_reason_to_defer(1);
}

}  // namespace

bool enter_taskgraph(Member& me, GraphConstruct& construct, const TaskgraphClauses& clauses) {
  if (is_recording(me)) refuse_to_record(me, "another taskgraph region is in it");
  // Tasks that are relocated fit every frame; threads keep a record each, for they may replay it at one time.
  const std::uint64_t around =
      clauses.relocates ? static_cast<std::uint64_t>(me.worker->id) : regions_around(me);
  GraphSlot* const slot =
      clauses.if_clause ? find_slot(construct, clauses.id, clauses.frame, around) : nullptr;
  if (slot != nullptr) slot->where = clauses.where;
  if (clauses.resets) reset_slots(construct, clauses.id);
  const char* against = reason_against(*me.current, clauses);
  if (slot == nullptr || against != nullptr) {
    if (slot != nullptr) slot->log("executed plainly: %s", against);
    open_region(me, construct, clauses, nullptr);
    return true;
  }
  if (me.flight == slot && slot->in_flight == me.current && slot->flight.has_value() &&
      !slot->is_reset.load(std::memory_order_relaxed)) {
    replay(me, *slot, clauses);
    if (!clauses.nogroup) me.flight = nullptr;
    return false;
  }
  if (me.flight != nullptr) wait_for_flight(me);
  // acquire: pairs with the release of who was busy with it
  State state = slot->state.load(std::memory_order_acquire);
  const bool is_free =
      state != State::kBusy && (state != State::kRefused || slot->is_reset.load(std::memory_order_relaxed));
  if (!is_free || !slot->state.compare_exchange_strong(state, State::kBusy, std::memory_order_acquire)) {
    slot->log("executed plainly: %s",
              state == State::kRefused ? "not replayable" : "another encounter is in it");
    open_region(me, construct, clauses, nullptr);
    return true;
  }
  wait_for_dependent_siblings(me);
  const bool resets = slot->is_reset.exchange(false, std::memory_order_relaxed);  // by those, too
  if (state == State::kRecorded && !resets) {
    replay(me, *slot, clauses);
    return false;
  }
  slot->forget();
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
    if (region->rest != nullptr) {
      region->rest->flight.wait(me);
      if (me.flight == slot) me.flight = region->outer_flight;
    }
    if (region->records) slot->keep(region->recording, bundles_for(me), 1);
    if (is_first) {
      wait_for_dependent_siblings(me);  // tasks that were left out
      execute_record(me, *slot, region->nogroup);
    } else {
      slot->give_back(region->records ? State::kRecorded : State::kRefused);
    }
  }
  if (!region->nogroup) taskgroup_end(me);
}

void wait_for_flight(Member& me) {
  GraphSlot& slot = *me.flight;
  if (slot.in_flight != me.current) return;  // the children of another task are no siblings
  if (const TaskgraphRegion* const region = me.taskgraph; region != nullptr && region->slot == &slot) {
    region->rest->flight.wait(me);
    slot.in_flight = nullptr;
    me.flight = region->outer_flight;
    return;
  }
  slot.flight->wait(me);
  forget_flight(me);
}

void forget_flight(Member& place) {
  std::exchange(place.flight, nullptr)->give_back(State::kRecorded);
}

bool is_in_taskgraph(const Member& me, const GraphConstruct& construct, std::uint64_t id) {
  const TaskgraphRegion* const region = me.taskgraph;
  return region != nullptr && region->task == me.current && region->construct == &construct &&
         region->id == id;
}

void leave_out_next_task(Member& me, bool is_left_out) {
  if (is_recording(me) && !me.taskgraph->leaves_out_unmarked) me.taskgraph->leaves_out_next = is_left_out;
}

bool leaves_out_task(Member& me) {
  TaskgraphRegion& region = *me.taskgraph;
  if (!std::exchange(region.leaves_out_next, region.leaves_out_unmarked)) return false;
  execute_noted(me);
  return true;
}

bool note_task(Member& me, const TaskBody& body, std::span<const Dependence> dependences,
               bool is_undeferred) {
  Recording& recording = me.taskgraph->recording;
  const char* against = nullptr;
  if (me.request.handle != nullptr) against = "a task has a handle";
  if (body.event != nullptr && is_undeferred) against = "an undeferred task has an event";
  if (body.event != nullptr && recording.overlaps) against = kEventsOverlap;
  if (against != nullptr) {
    refuse_to_record(me, against);
    return false;
  }
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

void refuse_own_event(Member& me, const char* what) {
  TaskgraphRegion& region = *me.taskgraph;
  region.records = false;
  region.slot->log("not replayable: its code %s", what);
  wait_for_dependent_siblings(me);  // tasks that were left out
  region.rest = std::make_unique<TaskgraphRegion::Noted>(region.recording, bundles_for(me));
  region.rest->flight.begin(me, true);
  region.slot->in_flight = me.current;
  region.outer_flight = std::exchange(me.flight, region.slot);
}

void refuse_to_record(Member& me, const char* reason) {
  execute_noted(me);
  me.taskgraph->records = false;
  me.taskgraph->slot->log("not replayable: %s", reason);
}

}  // namespace heddle
