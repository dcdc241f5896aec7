// taskgraph regions: recorded when they are executed for the first time, executed from the record afterwards
// (OpenMP 6.0, section 14.4; Yu, Royuela, Quiñones, "Taskgraph: a low contention OpenMP tasking framework").
//
// Words
//   construct  a place in the program that has regions; it owns their records
//   slot       of a construct: the record for one graph id and one frame of the encountering function, whose
//              local variables the recorded tasks know by address, and so those of the regions around it
//              (graph_slot.hpp)
//   plain      a region is executed plainly where its tasks are not replayed: they are recorded, or its if
//              clause says so, its slot is busy with another encounter, or it cannot be recorded
//   pipeline   executions of a record that nobody has waited for (nogroup); of one record at a time in a task
//
// Invariant: at most one encounter at a time records or replays a slot, but for those of its pipeline.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "graph/task_log.hpp"
#include "replay/graph_table.hpp"
#include "team/recorder.hpp"
#include "team/team.hpp"

namespace heddle {

struct TaskgraphClauses {
  const void* where = nullptr;  // the code that begins the region: for reports
  std::uint64_t id = 0;         // graph_id
  const void* frame = nullptr;  // of the encountering function
  bool resets = false;          // graph_reset
  bool nogroup = false;         // the region does not wait for its tasks
  bool if_clause = true;
  bool copies_are_bytes = false;  // tasks capture nothing but bytes: no objects with constructors
  // Tasks find what they share by `captures`, and so in any frame; only those that say so are replayable.
  bool relocates = false;
  void* captures = nullptr;
};

/// Begins a region. Returns true where the caller is to execute its body and then to leave it; false where
/// that was done from the record: it is over, and everything in it complete, or begun if it has nogroup.
bool enter_taskgraph(Member& me, GraphConstruct& construct, const TaskgraphClauses& clauses);
/// Waits for the tasks of the region's body and their descendants, unless it has nogroup.
/// Requires: is_in_taskgraph().
void leave_taskgraph(Member& me);

/// Forgets the pipeline of the implicit task of a place. Requires: its children are complete.
[[gnu::cold]] void forget_pipeline(Member& place);

/// Gives tasking, and threads that wait, what this room does for them (team/recorder.hpp).
void connect_replay_to_team();

/// Whether the current task executes the body of such a region.
bool is_in_taskgraph(const Member& me, const GraphConstruct& construct, std::uint64_t id);

/// A region whose body is being executed. By members, innermost first.
struct TaskgraphRegion {
  TaskgraphRegion* outer;
  Task* task;  // that executes the body
  const GraphConstruct* construct;
  std::uint64_t id;
  GraphSlot* slot;  // that is busy with this; null: plain from the beginning
  bool records;     // false: plain from here on
  bool nogroup;
  bool has_group;  // of its own
  bool copies_are_bytes;
  bool relocates;
  bool checks = false;  // the log is compared with the slot's record (HEDDLE_CHECK)
  std::unique_ptr<TaskLog> task_log;
  std::uint64_t began_at;            // ticks
  bool leaves_out_next = false;      // the next task is not replayable
  bool leaves_out_unmarked = false;  // nor is any of which nothing else is said
};

// -- what the body does, while it is recorded
// ------------------------------------------------------------------------------------------

/// Says whether the next task that the current one creates is not recorded, and so not replayed:
/// replayable(false). No effect where nothing is recorded, or where tasks say so themselves.
void leave_out_next_task(Member& me, bool is_left_out);
/// Whether the task that the current one creates is left out. Requires: is_recording().
inline bool leaves_out_task(Member& me) {
  TaskgraphRegion& region = *me.context.taskgraph;
  return std::exchange(region.leaves_out_next, region.leaves_out_unmarked);
}

/// TaskLog a task that the current one creates. Requires, as for the others: is_recording().
/// Ensures: the region is recorded as before, and body.event, if there is one, is that of a node; or it has
/// been refused.
void record_task(Member& me, const TaskBody& body, std::span<const Dependence> dependences, Gate gate);
void record_wait(Member& me);

/// While it exists the current task's constructs are not recorded: they belong to one that was.
class NotRecording {
 public:
  explicit NotRecording(Member& me) : recorded_(me.context.recorded, nullptr) {}

 private:
  Pushed<const Task*> recorded_;
};

inline constexpr const char* kEventsOverlap = "a task has an event, and the region nogroup (not yet)";

/// The region cannot be executed from a record.
[[gnu::cold]] void refuse_to_record(Member& me, const char* reason);
/// The same where tasks say for themselves whether they are replayable, and what is met now cannot say it.
inline void refuse_unmarked(Member& me, const char* reason) {
  if (is_recording(me) && me.context.taskgraph->leaves_out_unmarked) [[unlikely]]
    refuse_to_record(me, reason);
}

}  // namespace heddle
