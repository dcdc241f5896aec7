// The loop variants: phases one after the other, each a loop over blocks. How the loops run is a rule.
//
// Words: a *chunk* is a few consecutive variables of a group that go through exchange, stencil and checksum
// together.
//
// Invariant: under the stencils 7 and 27 variables are independent, so chunking changes the order of work and
// no value.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>

#include "amr/exec/simulation.hpp"
#include "amr/field/clock.hpp"

namespace heddle::amr {

/// Size of the cache of this level as the system tells, or a fallback where it does not.
[[nodiscard]] inline std::size_t cache_bytes(int level) {
  long size = -1;
#ifdef _SC_LEVEL3_CACHE_SIZE
  size = sysconf(level == 2 ? _SC_LEVEL2_CACHE_SIZE : _SC_LEVEL3_CACHE_SIZE);
#endif
  if (size > 0) return static_cast<std::size_t>(size);
  return level == 2 ? std::size_t{1} << 20 : std::size_t{8} << 20;
}

/// With ghosts so many variables that this chunk of one block fits half of the second-level cache, where an
/// exchange leaves it for the stencil. With faces a stage reads nothing twice, and a task of all variables is
/// the cheapest: with 20 of 40 in each a stage of 16^3 cells takes 1.04 as long, with 10 1.10.
/// Tried: chunks of all blocks that fit the last-level cache, hence 1 or 2 variables. On a shared machine
/// that cache is not ours, and bricks 40 variables apart are read more slowly than bricks in a row.
template <class Field>
[[nodiscard]] int variables_per_chunk(const Simulation<Field>& simulation) {
  const int num_vars = simulation.settings().num_vars;
  if (simulation.phases().variables_couple() || simulation.phases().has_faces()) return num_vars;
  const std::size_t fitting = cache_bytes(2) / 2 / simulation.phases().field.variable_bytes();
  return static_cast<int>(std::clamp<std::size_t>(fitting, 1, num_vars));
}

/// How a loop over blocks is shared among threads.
enum class Schedule { in_order, statically, dynamically };

struct LoopRule {
  Schedule exchange = Schedule::in_order;  // its work differs from block to block
  Schedule compute = Schedule::in_order;   // stencil and sums: the same work for each
  bool by_chunks = false;                  // a chunk of variables after the other goes through all phases
};

/// Calls body(0..n-1) and returns when all are done.
template <class Body>
void for_blocks(Schedule schedule, int n, Body&& body) {
  switch (schedule) {
    case Schedule::in_order:
      for (int b = 0; b < n; ++b) body(b);
      break;
    case Schedule::statically:
#pragma omp parallel for schedule(static)
      for (int b = 0; b < n; ++b) body(b);
      break;
    case Schedule::dynamically:
#pragma omp parallel for schedule(dynamic)
      for (int b = 0; b < n; ++b) body(b);
      break;
  }
}

template <class Field>
class LoopModel : public Model<Field> {
 public:
  explicit LoopModel(const LoopRule& rule) : rule_(rule) {}

  void for_each(int n, const std::function<void(int)>& body) override { for_blocks(rule_.compute, n, body); }

  bool run_timestep(Simulation<Field>& simulation) override {
    const auto& phases = simulation.phases();
    // With other ranks the directions of a group come one after the other where they are not independent.
    const bool is_whole = !rule_.by_chunks || (phases.has_other_ranks() && !phases.all_axes_at_once());
    if (chunk_ == 0)
      chunk_ = is_whole ? simulation.settings().num_vars : simulation.agreed(variables_per_chunk(simulation));
    return simulation.for_each_group([&](const StageGroup& group) {
      for (int first = group.first; first < group.last; first += chunk_) {
        if (!run_chunk(simulation, group, first, std::min(first + chunk_, group.last))) return false;
      }
      return true;
    });
  }

 private:
  bool run_chunk(Simulation<Field>& simulation, const StageGroup& group, int first, int last) const {
    auto& phases = simulation.phases();
    if (phases.has_faces())
      compute_with_faces(simulation, group, first, last);
    else
      exchange_and_compute(simulation, group, first, last);
    if (!group.is_check) return true;
    Stopwatch stopwatch;
    const bool passed = simulation.validate(group, first, last);
    simulation.timings().checksum += stopwatch.lap();
    return passed;
  }

  // A check's sums are part of the stencil: a pass of their own over all blocks would read the mesh once
  // more.
  static void compute(Phases<Field>& phases, int b, int first, int last, const StageGroup& group) {
    if (group.is_check)
      phases.stencil_and_sums(b, first, last, group.global_stage);
    else
      phases.stencil(b, first, last, group.global_stage);
  }

  // Work on faces that messages carry.
  [[nodiscard]] auto for_each_face() const {
    return [schedule = rule_.exchange](int n, auto&& face) { for_blocks(schedule, n, face); };
  }

  // Inner blocks are computed while messages fly. Stencils read what lies around a block, and are scheduled
  // as exchanges are.
  void compute_with_faces(Simulation<Field>& simulation, const StageGroup& group, int first, int last) const {
    auto& phases = simulation.phases();
    Timings& t = simulation.timings();
    Stopwatch stopwatch;
    const auto stencils = [&](std::span<const int> leaves) {
      for_blocks(rule_.exchange, static_cast<int>(leaves.size()),
                 [&](int n) { compute(phases, leaves[static_cast<std::size_t>(n)], first, last, group); });
      t.stencil += stopwatch.lap();
    };
    // The messages of the whole group go with its first chunk.
    if (!phases.has_other_ranks() || first != group.first) {
      stencils(phases.leaves().all);
      return;
    }
    phases.begin_messages(group.axes, group.first, group.last, group.global_stage, for_each_face());
    t.exchange += stopwatch.lap();
    stencils(phases.leaves().inner());
    phases.finish_messages(for_each_face());
    t.exchange += stopwatch.lap();
    stencils(phases.leaves().border());
  }

  void exchange_and_compute(Simulation<Field>& simulation, const StageGroup& group, int first,
                            int last) const {
    auto& phases = simulation.phases();
    Timings& t = simulation.timings();
    const int blocks = phases.blocks();
    Stopwatch stopwatch;
    if (phases.all_axes_at_once()) {
      const bool has_messages = phases.has_other_ranks() && first == group.first;  // as above
      if (has_messages)
        phases.begin_messages(group.axes, group.first, group.last, group.global_stage, for_each_face());
      for_blocks(rule_.exchange, blocks, [&](int b) { phases.exchange_all_axes(b, first, last); });
      if (has_messages) phases.finish_messages(for_each_face());
    } else {
      for (const int axis : group.axes) {
        if (phases.has_other_ranks())
          phases.begin_messages(std::array{axis}, first, last, group.global_stage, for_each_face());
        for_blocks(rule_.exchange, blocks, [&](int b) { phases.exchange(b, axis, first, last); });
        if (phases.has_other_ranks()) phases.finish_messages(for_each_face());
      }
    }
    t.exchange += stopwatch.lap();
    for_blocks(rule_.compute, blocks, [&](int b) { compute(phases, b, first, last, group); });
    t.stencil += stopwatch.lap();
  }

  LoopRule rule_;
  int chunk_ = 0;  // variables; 0: not known yet
};

}  // namespace heddle::amr
