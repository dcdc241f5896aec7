// The replay pipeline: executions of one record that have begun and are not all complete.
//
// Where its graph overlaps so may they: as many as the ring has instances, each waiting for the one before it
// task by task. Any other graph is executed once at a time.
#pragma once

#include <memory>
#include <vector>

#include "replay/replay.hpp"
#include "sched/in_turn_choice.hpp"
#include "team/team.hpp"

namespace heddle {

/// Where the order of tasks is chosen, or a tool told of each, each has its own place in it.
inline Bundles bundles_for(const Member& me) {
  return !me.is_observed ? Bundles::kSome : Bundles::kNone;
}

class ReplayPipeline {
 public:
  /// As many as may be begun before the first of them is complete. More let a thread run ahead further, and
  /// each costs four bytes a segment.
  static constexpr std::size_t kInstances = 4;

  /// plain_ns: see InTurnChoice.
  explicit ReplayPipeline(Record& record, std::int64_t plain_ns = 0) : record_(record), choice_(plain_ns) {}

  /// What the first execution by a team would make. Requires: nothing was executed yet.
  void prepare(const Member& me) { make_ring(me); }
  /// Whether the next execution begins with making a graph.
  bool needs_graph(const Member& me) const;
  /// Begins another execution, by children of the current task. Waits where the ring is full. is_awaited: for
  /// this one the caller waits before anything else; where it is not, it is counted in the taskgroup around
  /// it. Requires: no execution by another task's children is in pipeline.
  void begin(Member& me, bool is_awaited);
  /// Waits for all of them.
  void wait(Member& me);
  /// One more, and nothing else before it has ended.
  void execute(Member& me);

 private:
  void make_ring(const Member& me);
  /// begin() by the team. Returns the instance that it executes.
  ReplayInstance& begin_shared(Member& me, bool is_awaited);

  Record& record_;
  std::vector<std::unique_ptr<ReplayInstance>> instances_;  // empty until a team executes the record
  GraphRing ring_;                                          // of them, where there are several
  InTurnChoice choice_;
};

}  // namespace heddle
