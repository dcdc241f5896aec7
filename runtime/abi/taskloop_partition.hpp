// Cutting a taskloop's iterations into tasks (OpenMP 5.2, section 12.6).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace heddle {

enum class TaskloopClause { kNone, kGrainsize, kGrainsizeStrict, kNumTasks };

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

}  // namespace heddle
