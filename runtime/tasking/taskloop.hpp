// The tasks of a taskloop, made as there are threads for them.
//
// Words
//   chunk  the iterations that one task of the construct executes; for the program each is a task of its own
//   range  consecutive chunks, executed one after another by one Task, which is each chunk's in its turn
//   batch  how many chunks a range keeps for itself: as many as take about ten microseconds, by what was
//          measured so far; other threads may take the others from the moment at which the first begins, and
//          the batch's own from the moment at which one of them waits for something
//
// Invariants: every chunk is in one range, and is executed once or discarded. All ranges of a loop are
// children of the task that met the construct, and in its taskgroup. A chunk that leaves children, or
// dependences between them, is the last of its Task.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "base/count_down.hpp"
#include "base/relaxed_atomic.hpp"
#include "tasking/cancellation.hpp"
#include "tasking/private_chunks.hpp"
#include "team/team.hpp"

namespace heddle {

/// What all ranges of a loop have in common. The compiler's ABI derives its own from it.
struct Taskloop {
  std::uint64_t chunks = 0;
  std::size_t payload_bytes = 0;  // behind each Task, for the ABI
  unsigned flags = 0;             // of the tasks: Task::Flag
  std::int32_t priority = 0;

  /// Makes the payload of a range's task ready for its first chunk.
  void (*prepare)(const Taskloop&, Task&) = nullptr;
  /// Executes chunks [first, last), or the first of them, by run_chunks(). Returns where it stopped.
  std::uint64_t (*run)(Member&, const Taskloop&, Task&, std::uint64_t first, std::uint64_t last) = nullptr;
  /// Called when no range is left, by the thread that ends the last. Null: the loop stays until all tasks are
  /// complete.
  void (*release)(Member&, Taskloop&) = nullptr;

  // What all threads write, on lines of its own, wherever the loop begins: they read the rest for each batch.
  std::byte before_shared[kCacheLine];
  RelaxedAtomic<std::uint64_t> batch{1};  // the newest guess; where it is wrong, a range corrects it
  CountDown<> users{1};                   // ranges, and the starting thread; counted for release only
  std::byte behind_shared[kCacheLine];
};

/// What a task that executes a range has to know (Task::as()).
struct RangeTask {
  void* range;
  void* arguments;  // the ABI's, for Taskloop::run
};

enum class TaskloopStart {
  kUndeferred,  // all chunks are executed before start_taskloop() returns
  kHere,        // the encountering thread begins: it is about to wait for the loop's tasks
  kDeferred,
};

/// Executes the chunks of `loop` as children of the current task.
/// Requires: the loop stays until all its tasks are complete, or has a release function.
void start_taskloop(Member& me, Taskloop& loop, TaskloopStart start);

/// Executes the chunks as the current task, as far as it is not joined by others in its place among its
/// siblings. Requires: the loop has no payload; a release function, or a taskgroup that counts the siblings.
void share_taskloop(Member& me, Taskloop& loop);

/// Whether taskloops are executed by ranges. Otherwise each chunk has a Task from the beginning: where the
/// program has requested something for the next task it creates, that is the first chunk; and where the order
/// of tasks is chosen, or a tool observes each, each chunk has its own place in it.
inline bool splits_ranges(const Member& me) {
  return me.requests.task.is_empty() && !me.is_observed;
}

/// Undoes what a chunk did to its Task. Returns false where the Task cannot be the next chunk's.
bool renew_chunk_task(Member& me, Task& task);

/// Ends one of several chunks that one Task executes. environment: the Task's before the chunk. Returns false
/// where the Task cannot be the next chunk's.
inline bool end_chunk(Member& me, Task& task, const DataEnvironment* environment) {
  task.environment = environment;
  if (task.is_plain() && task.child_table == nullptr) [[likely]]
    return true;
  return renew_chunk_task(me, task);
}

/// For Taskloop::run: run(t) executes chunk t as the current task.
template <class Run>
std::uint64_t run_chunks(Member& me, Task& task, std::uint64_t first, std::uint64_t last, Run&& run) {
  const Team& team = *me.team;
  const DataEnvironment* const environment = task.environment;
  // An undeferred loop keeps none: what the member has is a range's around it.
  const bool keeps = me.context.chunks != nullptr && &me.context.chunks->task == &task;
  ChunkRange own{first, last};
  ChunkRange& range = keeps ? *me.context.chunks : own;
  range.next = first;
  while (range.next < std::min(last, range.last)) {  // a chunk that waits gives the others away
    if (is_discarded(team, task)) [[unlikely]]
      break;
    run(range.next++);
    if (!end_chunk(me, task, environment)) break;
  }
  return range.next;
}

}  // namespace heddle
