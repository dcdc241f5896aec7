// What observers are told of tasks: the order that is chosen or logged (sched/chosen_order.hpp), and a tool.
//
// Invariant: called where Member::is_observed alone. While a tool is active every explicit task is one of
// new_task() or of a graph, with room for a ToolTask behind everything else. A tool is told of each change of
// the task that a thread executes: Member::told is the one it knows of.
#pragma once

#include <span>

#include "deps/access.hpp"
#include "team/team.hpp"
#include "team/tool_events.hpp"

namespace heddle {

/// What a construct says of its task to a tool.
struct ToldTask {
  CallSite where;  // of the construct
  std::span<const Dependence> dependences{};
  bool is_undeferred = false;  // by if(0), or because it is in a final task
  bool is_merged = false;
  bool is_taskwait = false;    // it stands for a taskwait with dependences
  const void* code = nullptr;  // the body's; null: new_task() was told, or nobody knows
};

/// Bytes for a task of so many: with room for what a tool keeps of it.
std::size_t observed_bytes(std::size_t bytes);
/// Begins what observers keep of a task that was just made. code: its body's, for logs.
void begin_observed(Member& me, Task& task, const void* code);

/// The frame below that of a task's code, which is about to be called there.
inline void set_exit_frame(Task& task, void* frame) {
  tool_task(task).frame.exit_frame.ptr = frame;
}

/// Tells of a new task. Where no tool is active: without effect.
void tell_created(Member& me, Task& task, const ToldTask& told);
/// The same where Member::is_observed, for constructs that know nothing more of their tasks.
void tell_created_if_observed(Member& me, Task& task, std::span<const Dependence> dependences);
/// The task executes a chunk of a taskloop.
void keep_chunk_for_tool(Task& task, std::uint64_t start, std::uint64_t iterations);
/// It is no task of the program's: a tool is told nothing of it.
void hide_from_tool(Task& task);

/// Calls the body of a task. Requires: it is the current one. resumed: what the member goes on with
/// afterwards.
void run_observed_body(Member& me, Task& task, Task& resumed);
/// Around the body of an undeferred one.
void begin_observed_undeferred(Member& me, Task& task);
void end_observed_undeferred(Member& me, Task& task);

/// The event of a task with a detach clause is about to be fulfilled. Requires: a tool is active.
void tell_fulfilled(Task& task);

/// Before what a chosen order decides: waits for so long as it says (HEDDLE_ORDER).
void hesitate(Member& me);

}  // namespace heddle
