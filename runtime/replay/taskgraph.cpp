#include "replay/taskgraph.hpp"

#include <memory>
#include <utility>

#include "base/address_hash.hpp"
#include "deps/dependence_table.hpp"
#include "icv/settings.hpp"
#include "replay/graph_check.hpp"
#include "replay/graph_table.hpp"
#include "sys/processor.hpp"
#include "tasking/wait.hpp"

namespace heddle {
namespace {

using State = GraphSlot::State;

// The frame of a worker's part of a region is always the same. What is shared there lies in the frames of
// those that opened the region and those around it, where their arguments lie as well.
std::uint64_t regions_around(const Member& me) {
  std::uint64_t mixed = 0;
  for (const Member* at = &me; at != nullptr; at = at->team->encountering)
    mixed = hash_of(mixed ^ reinterpret_cast<std::uintptr_t>(at->team->start.code.argument));
  return mixed;
}

// What siblings from outside wait for, and are waited for, a graph does not know. Those without dependences
// may go on: they may wait for what the current task does later.
void wait_for_dependent_siblings(Member& me) {
  const Task& task = *me.context.task;
  if (task.child_table == nullptr || task.child_table->is_empty() || task.children_complete()) return;
  const Dependence all{nullptr, AccessKind::kOut, true};
  taskwait_depend(me, {&all, 1});
}

// Whether a region's tasks have ended when it has. Outside parallel regions tasks are executed where the
// program waits, which may be nowhere.
bool is_awaited(const Member& me, const TaskgraphClauses& clauses) {
  return !clauses.nogroup || me.team->encountering == nullptr;
}

void open_region(Member& me, const GraphConstruct& construct, const TaskgraphClauses& clauses,
                 GraphSlot* recorded) {
  const bool has_group = is_awaited(me, clauses);
  if (has_group && has_tool()) [[unlikely]]
    observe(&Observer::taskgroup_begins, {});
  if (has_group) taskgroup_begin(me);
  me.context.taskgraph = new TaskgraphRegion{.outer = me.context.taskgraph,
                                             .task = me.context.task,
                                             .construct = &construct,
                                             .id = clauses.id,
                                             .slot = recorded,
                                             .records = recorded != nullptr,
                                             .nogroup = clauses.nogroup,
                                             .has_group = has_group,
                                             .copies_are_bytes = clauses.copies_are_bytes,
                                             .relocates = clauses.relocates,
                                             .task_log = nullptr,
                                             .began_at = ticks()};
  me.context.recorded = recorded != nullptr ? me.context.task : nullptr;
  if (recorded == nullptr) return;
  me.context.taskgraph->task_log = recorded->new_log();
  me.context.taskgraph->leaves_out_next = me.context.taskgraph->leaves_out_unmarked = clauses.relocates;
  recorded->captures = clauses.captures;
}

// Observed as a taskgroup of the region's tasks.
void execute_observed(Member& me, ReplayPipeline& pipeline) {
  observe(&Observer::taskgroup_begins, {});
  pipeline.begin(me, true);
  const SyncRegion sync(ompt_sync_region_taskgroup, {});
  pipeline.wait(me);
}

// Executes the record of a slot that this encounter has made busy, and gives it back when that is over.
void replay(Member& me, GraphSlot& slot, const TaskgraphClauses& clauses) {
  const std::uint64_t executions = slot.executions.fetch_add(1);
  slot.log("replayed, %llu times so far", static_cast<unsigned long long>(executions));
  slot.captures = clauses.captures;
  slot.unused_records = 0;
  if (!is_awaited(me, clauses)) {
    slot.pipeline->begin(me, false);
    slot.log_graph();
    slot.leave_pipelined(*me.context.task);
    me.pipeline = &slot;
    return;
  }
  if (has_tool()) [[unlikely]]
    execute_observed(me, *slot.pipeline);
  else
    slot.pipeline->execute(me);
  slot.log_graph();
  slot.give_back(State::kRecorded);
}

const char* reason_against(const Task& task, const TaskgraphClauses& clauses) {
  // What it shares with its creator lies where only its data say, which may change from one task to the next.
  if (!task.is_implicit() && !clauses.relocates) return "an explicit task executes it (not yet)";
  // They lie in the frame of the encountering function, which may return before the tasks begin.
  if (clauses.relocates && clauses.nogroup) return "it has nogroup, and finds what it shares anew (not yet)";
  if (task.is_final()) return "it is in a final task, whose tasks are included";
  if (has_tool() && clauses.nogroup) return "a tool sees each task, and it has nogroup (not yet)";
  if (settings().is_cancellable) return "cancellation is on (not yet)";
  return nullptr;
}

// Tasks that come next may depend on its tasks, which a record does not tell.
[[gnu::cold]] void wait_for_pipeline(Member& me) {
  GraphSlot& slot = *me.pipeline;
  if (slot.pipelined_by.load() != me.context.task) return;  // the children of another task are no siblings
  slot.pipeline->wait(me);
  forget_pipeline(me);
}

bool continues_pipeline(const Member& me, const GraphSlot& slot) {
  return me.pipeline == &slot && slot.pipelined_by.load() == me.context.task && slot.pipeline.has_value() &&
         !slot.access.has_reset();
}

}  // namespace

bool enter_taskgraph(Member& me, GraphConstruct& construct, const TaskgraphClauses& clauses) {
  if (is_recording(me)) refuse_to_record(me, "another taskgraph region is in it");
  // Tasks that are relocated fit every frame; threads keep a record each, for they may replay it at one time.
  const std::uint64_t around =
      clauses.relocates ? static_cast<std::uint64_t>(me.worker->id) : regions_around(me);
  GraphSlot* const slot =
      clauses.if_clause ? &pin_slot(construct, {clauses.id, clauses.frame, around}) : nullptr;
  if (slot != nullptr) slot->where = clauses.where;
  if (clauses.resets) reset_slots(construct, clauses.id);
  const auto execute_plainly = [&] {
    open_region(me, construct, clauses, nullptr);
    return true;
  };
  if (slot == nullptr) return execute_plainly();
  const char* against = reason_against(*me.context.task, clauses);
  if (against == nullptr && continues_pipeline(me, *slot)) {
    slot->access.unpin();  // the pipeline has it pinned
    replay(me, *slot, clauses);
    if (!clauses.nogroup) me.pipeline = nullptr;
    return false;
  }
  if (against == nullptr && me.pipeline != nullptr) wait_for_pipeline(me);
  if (against == nullptr) against = slot->claim();
  if (against != nullptr) {
    slot->log("executed plainly: %s", against);
    slot->access.unpin();
    return execute_plainly();
  }
  if (slot->record != nullptr) wait_for_dependent_siblings(me);
  const GraphSlot::Choice choice = slot->choose(me);
  switch (choice.what) {
    case GraphSlot::Choice::What::kReplay:
      replay(me, *slot, clauses);
      return false;
    case GraphSlot::Choice::What::kRecord:
      open_region(me, construct, clauses, slot);
      return true;
    case GraphSlot::Choice::What::kCheck:
      slot->unused_records = 0;  // it would have been replayed
      open_region(me, construct, clauses, slot);
      me.context.taskgraph->checks = true;
      return true;
    case GraphSlot::Choice::What::kPlain:
      break;
  }
  slot->executions.fetch_add(1);
  slot->log("executed plainly: %s", choice.why);
  slot->give_back(slot->record != nullptr ? State::kRecorded : State::kEmpty);
  return execute_plainly();
}

void leave_taskgraph(Member& me) {
  const std::unique_ptr<TaskgraphRegion> region(
      std::exchange(me.context.taskgraph, me.context.taskgraph->outer));
  const TaskgraphRegion* const outer = me.context.taskgraph;
  me.context.recorded = outer != nullptr && outer->records ? outer->task : nullptr;
  const bool is_tiny = me.policy.serial_creation.is(me.context.task);
  if (region->has_group) {
    const SyncRegion sync(ompt_sync_region_taskgroup, {});
    taskgroup_end(me);
  }
  GraphSlot* const slot = region->slot;
  if (slot == nullptr) return;
  if (region->checks) [[unlikely]] {
    check_record(*slot, region->records ? region->task_log.get() : nullptr, region->relocates);
    return slot->give_back(State::kRecorded);
  }
  if (region->records)
    slot->keep(std::make_unique<Record>(std::move(region->task_log), region->nogroup, slot->origin()),
               bundles_for(me), 1, is_tiny ? nanoseconds(ticks() - region->began_at) : 0);
  slot->give_back(region->records ? State::kRecorded : State::kRefused);
}

void forget_pipeline(Member& place) {
  std::exchange(place.pipeline, nullptr)->give_back(State::kRecorded);
}

bool is_in_taskgraph(const Member& me, const GraphConstruct& construct, std::uint64_t id) {
  const TaskgraphRegion* const region = me.context.taskgraph;
  return region != nullptr && region->task == me.context.task && region->construct == &construct &&
         region->id == id;
}

void leave_out_next_task(Member& me, bool is_left_out) {
  if (is_recording(me) && !me.context.taskgraph->leaves_out_unmarked)
    me.context.taskgraph->leaves_out_next = is_left_out;
}

void record_task(Member& me, const TaskBody& body, std::span<const Dependence> dependences, Gate gate) {
  const TaskgraphRegion& region = *me.context.taskgraph;
  const char* against = nullptr;
  if (me.requests.task.handle != nullptr) against = "a task has a handle";
  if (me.requests.task.is_transparent) against = "a task is transparent (not yet)";
  if (body.event != nullptr && gate == Gate::kYes) against = "an undeferred task has an event";
  if (body.event != nullptr && region.nogroup) against = kEventsOverlap;
  if (region.task_log->size() >= TaskLog::kMost) against = "it has more than 16 million tasks";
  if (against != nullptr) return refuse_to_record(me, against);
  if (!me.requests.task.is_background || gate == Gate::kYes || body.is_of_group) [[likely]]
    return region.task_log->add_task(body, dependences, gate);
  TaskBody background = body;
  background.priority = Task::kBackground;
  region.task_log->add_task(background, dependences, gate);
}

void record_wait(Member& me) {
  me.context.taskgraph->task_log->add_wait();
}

void refuse_to_record(Member& me, const char* reason) {
  me.context.taskgraph->records = false;
  me.context.recorded = nullptr;
  me.context.taskgraph->slot->log("not replayable: %s", reason);
}

void connect_replay_to_team() {
  give_recorder({.wait = record_wait,
                 .wait_for =
                     [](Member& me, std::span<const Dependence> dependences) {
                       me.context.taskgraph->task_log->add_wait(dependences);
                     },
                 .group_begin = [](Member& me) { me.context.taskgraph->task_log->begin_group(); },
                 .group_end = [](Member& me) { me.context.taskgraph->task_log->end_group(); },
                 .refuse = refuse_to_record,
                 .wait_for_pipeline = wait_for_pipeline,
                 .release_successors = release_successors});
}

}  // namespace heddle
