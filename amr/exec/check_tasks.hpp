// The sums of a check as tasks: this rank's part of them, and the message that adds up all ranks'.
#pragma once

#include <omp.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "amr/exec/phases.hpp"

namespace heddle::amr {

/// The sums of a group of variables, first..last-1, in one of the two tables of Phases. Its address stands
/// for them in depend clauses.
struct CheckSums {
  int first = 0;
  int last = 0;
  int table = 0;
  std::vector<std::int64_t> words = {};  // exact sums, on their way, where there are several ranks
  std::vector<BlockSums> totals = {};    // else
};

class CheckTasks {
 public:
  using Field = ContiguousField;

  /// binds: as for MessageTasks.
  explicit CheckTasks(bool binds) : binds_(binds) {}

  /// Creates the task that writes `check`, behind those that write what is in the list. It stays until the
  /// task is complete. The messages have no tags: one check's comes after the other's.
  void spawn(Phases<Field>& of, CheckSums& of_check, std::vector<BlockSums*> list) {
    Phases<Field>* phases = &of;
    CheckSums* check = &of_check;
    [[maybe_unused]] BlockSums** read = list.data();
    const int count = static_cast<int>(list.size());
    if (!phases->has_other_ranks()) {
#pragma omp task default(none) firstprivate(phases, check) shared(read, count) \
    depend(iterator(int n = 0 : count), in : read[n][0]) depend(out : check[0])
      check->totals = phases->totals(check->first, check->last, check->table);
      return;
    }
    [[maybe_unused]] char* turn = &turn_;
    if (binds_) {
#pragma omp task default(none) firstprivate(phases, check) shared(read, count, turn) \
    depend(iterator(int n = 0 : count), in : read[n][0]) depend(out : check[0]) depend(inout : turn[0])
      reduce(*phases, *check, Communicator::kOfTask);
      return;
    }
    omp_event_handle_t is_reduced{};
#pragma omp task firstprivate(phases, check) shared(read, count, turn) detach(is_reduced) \
    depend(iterator(int n = 0 : count), in : read[n][0]) depend(out : check[0]) depend(inout : turn[0])
    reduce(*phases, *check, static_cast<Communicator::Event>(is_reduced));
  }

  /// Of all ranks, by variable. Requires: the check's task is complete.
  [[nodiscard]] static std::vector<BlockSums> totals(const Phases<Field>& phases, CheckSums& check) {
    if (check.words.empty()) return std::move(check.totals);
    return phases.totals_of(check.words, check.first, check.last);
  }

 private:
  static void reduce(Phases<Field>& phases, CheckSums& check, Communicator::Event event) {
    check.words = phases.sum_words(check.first, check.last, check.table);
    phases.ranks().sum_then_fulfil(check.words, event);
  }

  bool binds_;
  char turn_ = 0;  // stands for the order of the messages
};

}  // namespace heddle::amr
