// The taskloop construct of any compiler (OpenMP 5.2, section 12.6): its iterations are cut into chunks,
// which are executed as ranges (tasking/taskloop.hpp), or each by a task that is made at once; in a recorded
// taskgraph region the construct is one node.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/cache_line.hpp"
#include "replay/taskgraph.hpp"
#include "tasking/taskloop.hpp"
#include "trace/observer.hpp"

namespace heddle {

enum class TaskloopClause : std::uint32_t { kNone, kGrainsize, kGrainsizeStrict, kNumTasks };

/// `tasks` chunks: the first `larger` have `size` + 1 iterations, the others `size`; with a strict grainsize
/// all have `size` but the last, which has what is left.
struct TaskloopPartition {
  std::uint64_t trip = 0;
  std::uint64_t tasks = 0;
  std::uint64_t size = 0;
  std::uint64_t larger = 0;

  /// First iteration and number of iterations of chunk t.
  std::pair<std::uint64_t, std::uint64_t> chunk(std::uint64_t t) const {
    const std::uint64_t first = t * size + std::min(t, larger);
    return {first, count(t, first)};
  }
  /// The second, where the first is known.
  std::uint64_t count(std::uint64_t t, std::uint64_t first) const {
    return std::min(size + (t < larger ? 1 : 0), trip - first);
  }
};

/// `amount` is the clause's argument. Without a clause there are ten tasks a thread: enough to even out, few
/// enough to be cheap.
inline TaskloopPartition partition_taskloop(std::uint64_t trip, std::uint64_t amount, TaskloopClause clause,
                                            int team_size) {
  if (trip == 0) return {};
  amount = std::max<std::uint64_t>(amount, 1);
  if (clause == TaskloopClause::kGrainsizeStrict)
    return {trip, trip / amount + (trip % amount != 0), amount, 0};
  std::uint64_t tasks = 10 * static_cast<std::uint64_t>(team_size);
  if (clause == TaskloopClause::kGrainsize) tasks = trip / amount;  // at least `amount`, less than twice that
  if (clause == TaskloopClause::kNumTasks) tasks = amount;
  tasks = std::clamp<std::uint64_t>(tasks, 1, trip);
  return {trip, tasks, trip / tasks, trip % tasks};
}

/// What the construct of any compiler says. A compiler's own derives from it, for execute_taskloop():
///   begin_group(me), end_group(me)   its taskgroup, where it has one
///   has_ranges(me)                   whether chunks need no tasks of their own before they are executed
///   start_ranges(me, partition, is_undeferred, ranges)   ranges: room for what stays until end_group()
///   make_chunk(me, chunk, is_last)   the task of a chunk, with a copy of what the construct captures
///   execute_chunk(me, task), submit_chunk(me, task, where, iterations)
///   end_chunks(me)                   all of them are made
/// and for record_taskloop():
///   reason_against_record(me)        nullptr: it can be recorded
///   captured_bytes(), code()
///   capture(to)                      moves what the construct captures to memory of all zeros
///   execute_again(captured)
/// Neither has padding: recorded ones are compared byte by byte (HEDDLE_CHECK).
struct TaskloopConstruct {
  std::uint64_t start = 0, step = 0, trip = 0;  // of the iterations
  std::uint64_t amount = 0;                     // the argument of its clause
  TaskloopClause clause = TaskloopClause::kNone;
  std::uint16_t if_clause = 1;  // 0: its tasks are undeferred
  std::uint16_t has_group = 1;  // 0: nogroup
};

/// Records the construct as a node, which is executed again with the same arguments.
template <class Construct>
void record_taskloop(Member& me, const Construct& loop) {
  static_assert(std::has_unique_object_representations_v<Construct>);
  if (const char* const against = loop.reason_against_record(me)) return refuse_to_record(me, against);
  // What the construct captures stands behind it.
  struct alignas(kCacheLine) Block {
    unsigned char bytes[sizeof(Construct)];
    Construct& loop() { return *reinterpret_cast<Construct*>(bytes); }
  };
  const std::size_t captured_bytes = loop.captured_bytes();
  std::vector<Block> block(1 + (captured_bytes + sizeof(Block) - 1) / sizeof(Block));
  std::memset(block.data(), 0, block.size() * sizeof(Block));  // also what no member covers: it is compared
  std::memcpy(block.front().bytes, &loop, sizeof loop);
  block.front().loop().capture(&block[1]);
  TaskBody body;
  body.run = [](void*, void* data) {
    auto* const recorded = static_cast<Block*>(data);
    recorded->loop().execute_again(recorded + 1);
  };
  body.code = loop.code();
  body.data = block.data();
  body.bytes = sizeof(Block) + captured_bytes;
  body.header_bytes = sizeof(Block);
  body.alignment = alignof(Block);
  body.waits_for_descendants = true;
  record_task(me, body, {}, loop.has_group != 0 || loop.if_clause == 0 ? Gate::kYes : Gate::kNo);
}

/// Each chunk's task is made at once, and so is its copy of what the construct captures: before the last
/// chunk, which may write to what the objects among that are copied from.
template <class Construct>
void submit_every_chunk(Member& me, const Construct& loop, const TaskloopPartition& partition,
                        bool is_undeferred, CallSite where) {
  for (std::uint64_t t = 0; t < partition.tasks; ++t) {
    const auto chunk = partition.chunk(t);
    Task& task = loop.make_chunk(me, chunk, t + 1 == partition.tasks);
    const ompt_dispatch_chunk_t iterations{loop.start + chunk.first * loop.step, chunk.second};
    if (!is_undeferred) {
      loop.submit_chunk(me, task, where, iterations);
      continue;
    }
    if (me.is_observed) [[unlikely]]
      observe(&Observer::task_created, task, {where, {}, true, false, false, nullptr, iterations});
    loop.execute_chunk(me, task);
  }
  loop.end_chunks(me);
}

template <class Construct>
void execute_taskloop(const Construct& loop, CallSite where) {
  Member& me = this_member();
  if (is_recording(me)) [[unlikely]] {
    if (!leaves_out_task(me)) record_taskloop(me, loop);
    const NotRecording here(me);
    return execute_taskloop(loop, where);
  }
  observe(&Observer::work_begins, ompt_work_taskloop, loop.trip, where);
  if (loop.has_group != 0) {
    observe(&Observer::taskgroup_begins, where);
    loop.begin_group(me);
  }
  const TaskloopPartition partition = partition_taskloop(loop.trip, loop.amount, loop.clause, me.team->size);
  const bool is_undeferred = loop.if_clause == 0 || me.context.task->is_final();
  std::optional<typename Construct::Ranges> ranges;
  if (loop.has_ranges(me))
    loop.start_ranges(me, partition, is_undeferred, ranges);
  else
    submit_every_chunk(me, loop, partition, is_undeferred, where);
  if (loop.has_group != 0) {
    const SyncRegion sync(ompt_sync_region_taskgroup, where);
    loop.end_group(me);
  }
  observe(&Observer::work_ends, ompt_work_taskloop, loop.trip, where);
}

}  // namespace heddle
