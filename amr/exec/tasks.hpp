// What the task variants share: exchange and stencil tasks with dependences, created by one thread.
//
// Words: I(b) stands for the interior of a chunk of variables of block b, G(b, d) for its ghosts beyond the
// two faces of axis d; in a depend clause each is the address of one datum.
//
// Why these dependences suffice. Where the axes are independent, exchange(b) reads I of its neighbours and of
// b, and writes G(b, 0), which stands for all ghosts. Otherwise exchange(b, d) also reads ghosts along the
// other two axes, of b and of the neighbours across d, and writes G(b, d). It never touches G(n, d) of a
// neighbour, so exchanges along one axis do not wait for each other. Edges belong to two of b's G; its
// exchanges are ordered because each reads the others' G. The stencil reads all G(b, .) and writes I(b): it
// waits for every neighbour that has yet to read I(b).
//
// Why iterators: a block has up to 24 neighbours; the list is made at run time. ([[maybe_unused]]: GCC 12
// does not count a depend clause as a use.)
#pragma once

#include <array>
#include <exception>

#include "amr/exec/loops.hpp"

namespace heddle::amr {

/// Consecutive variables that one task works on.
struct TaskChunk {
  int first = 0;
  int last = 0;
  int sentinel = 0;  // the variable whose addresses stand for the chunk
};

/// One parallel region lives as long as the simulation; its master thread creates the tasks and does what is
/// not a task, the others execute.
class TaskModel : public Model<ContiguousField> {
 public:
  void enclose(const std::function<void()>& run) override {
    std::exception_ptr thrown;  // nothing may be thrown out of a parallel region
#pragma omp parallel default(none) shared(run, thrown)
#pragma omp master
    {
      try {
        run();
      } catch (...) {
        thrown = std::current_exception();
      }
    }
    if (thrown) std::rethrow_exception(thrown);
  }

  void for_each(int n, const std::function<void(int)>& body) override {
    const auto count = static_cast<std::size_t>(n);  // unsigned: Clang counts taskloop iterations so
#pragma omp taskloop default(none) firstprivate(count) shared(body)
    for (std::size_t i = 0; i < count; ++i) body(static_cast<int>(i));
  }

  [[nodiscard]] bool phases_are_separate() const final { return false; }
};

class TaskSpawner {
 public:
  using Field = ContiguousField;

  explicit TaskSpawner(Simulation<Field>& simulation) : TaskSpawner(simulation, kFromTheBeginning) {}

  /// origin: what the tasks' global stages are counted from, read when they run, so that the same tasks can
  /// run again later. It stays until they have ended.
  TaskSpawner(Simulation<Field>& simulation, const long long& origin)
      : phases_(simulation.phases), origin_(origin) {
    const int wanted = simulation.settings().task_vars;
    variables_ = wanted > 0 ? wanted : variables_per_chunk(simulation);
  }

  /// Calls use(chunk) for the chunks of a group. Variables that couple stay together, under one name for all
  /// groups.
  template <class Use>
  void for_each_chunk(const StageGroup& group, Use&& use) const {
    if (phases_.variables_couple()) {
      use(TaskChunk{group.first, group.last, 0});
      return;
    }
    for (int first = group.first; first < group.last; first += variables_) {
      use(TaskChunk{first, std::min(first + variables_, group.last), first});
    }
  }

  /// Creates the exchange and stencil tasks of a group on all blocks, and those of its sums where it is
  /// asked.
  void spawn(const StageGroup& group, bool with_sums) {
    if (phases_.has_other_ranks()) {
      exchange_with_ranks(group);
      for_each_chunk(group, [&](const TaskChunk& chunk) { spawn_stencils(group, chunk, with_sums); });
      return;
    }
    for_each_chunk(group, [&](const TaskChunk& chunk) {
      if (phases_.all_axes_at_once()) {
        spawn_exchanges(chunk);
      } else {
        for (const int axis : group.axes) spawn_exchanges(axis, chunk);
      }
      spawn_stencils(group, chunk, with_sums);
    });
  }

 private:
  /// The creating thread talks to other ranks between the phases: tasks wait for it, and it for them.
  void exchange_with_ranks(const StageGroup& group) {
    const auto for_each = [](int n, auto&& face) { for_blocks(Schedule::in_order, n, face); };
#pragma omp taskwait
    if (phases_.all_axes_at_once()) {
      phases_.begin_messages(group.axes, group.first, group.last, for_each);
      for_each_chunk(group, [&](const TaskChunk& chunk) { spawn_exchanges(chunk); });
#pragma omp taskwait
      phases_.finish_messages(for_each);
      return;
    }
    for (const int axis : group.axes) {
      phases_.begin_messages(std::array{axis}, group.first, group.last, for_each);
      for_each_chunk(group, [&](const TaskChunk& chunk) { spawn_exchanges(axis, chunk); });
#pragma omp taskwait
      phases_.finish_messages(for_each);
    }
  }

  void spawn_exchanges(const TaskChunk& chunk) {
    for (int b = 0; b < phases_.blocks(); ++b) spawn_exchange(b, chunk);
  }
  void spawn_exchanges(int axis, const TaskChunk& chunk) {
    for (int b = 0; b < phases_.blocks(); ++b) spawn_exchange(b, axis, chunk);
  }
  void spawn_stencils(const StageGroup& group, const TaskChunk& chunk, bool with_sums) {
    for (int b = 0; b < phases_.blocks(); ++b) spawn_stencil(b, chunk, group.global_stage - origin_);
    for (int b = 0; with_sums && b < phases_.blocks(); ++b) spawn_sums(b, chunk);
  }

  static constexpr long long kFromTheBeginning = 0;

  [[nodiscard]] double* interior(int slot, const TaskChunk& chunk) {
    return phases_.field.interior_sentinel(slot, chunk.sentinel);
  }
  [[nodiscard]] double* ghost(int slot, int axis, const TaskChunk& chunk) {
    return phases_.field.ghost_sentinel(slot, chunk.sentinel, axis);
  }

  void spawn_exchange(int b, const TaskChunk& chunk) {
    const TransferPlan& plan = phases_.plan();
    int count = 0;
    for (const Transfer& transfer : plan.into(b)) {
      if (transfer.reads_own_neighbour()) read_[count++] = interior(transfer.source, chunk);
    }
    [[maybe_unused]] double** read = read_.data();
    [[maybe_unused]] double* mine = ghost(plan.slot(b), 0, chunk);
    Phases<Field>* phases = &phases_;
    const int first = chunk.first;
    const int last = chunk.last;
#pragma omp task default(none) firstprivate(phases, b, first, last) shared(read, mine, count) \
    depend(iterator(int n = 0 : count), in : read[n][0]) depend(out : mine[0])
    phases->exchange_all_axes(b, first, last);
  }

  void spawn_exchange(int b, int axis, const TaskChunk& chunk) {
    const TransferPlan& plan = phases_.plan();
    const int other = (axis + 1) % kAxes;
    const int third = (axis + 2) % kAxes;
    int count = 0;
    const auto read_block = [&](int slot) {
      read_[count++] = interior(slot, chunk);
      read_[count++] = ghost(slot, other, chunk);
      read_[count++] = ghost(slot, third, chunk);
    };
    read_block(plan.slot(b));
    for (const Transfer& transfer : plan.into_axis(b, axis)) {
      if (transfer.reads_own_neighbour()) read_block(transfer.source);
    }
    [[maybe_unused]] double** read = read_.data();
    [[maybe_unused]] double* mine = ghost(plan.slot(b), axis, chunk);
    Phases<Field>* phases = &phases_;
    const int first = chunk.first;
    const int last = chunk.last;
#pragma omp task default(none) firstprivate(phases, b, axis, first, last) shared(read, mine, count) \
    depend(iterator(int n = 0 : count), in : read[n][0]) depend(inout : mine[0])
    phases->exchange(b, axis, first, last);
  }

  void spawn_stencil(int b, const TaskChunk& chunk, long long stages) {
    const int slot = phases_.plan().slot(b);
    [[maybe_unused]] double* mine = interior(slot, chunk);
    Phases<Field>* phases = &phases_;
    const long long* origin = &origin_;
    const int first = chunk.first;
    const int last = chunk.last;
    [[maybe_unused]] double* g0 = ghost(slot, 0, chunk);
    if (phases_.all_axes_at_once()) {
#pragma omp task default(none) firstprivate(phases, origin, b, first, last, stages) shared(mine, g0) \
    depend(in : g0[0]) depend(inout : mine[0])
      phases->stencil(b, first, last, *origin + stages);
    } else {
      [[maybe_unused]] double* g1 = ghost(slot, 1, chunk);
      [[maybe_unused]] double* g2 = ghost(slot, 2, chunk);
#pragma omp task default(none) firstprivate(phases, origin, b, first, last, stages) shared(mine, g0, g1, g2) \
    depend(in : g0[0], g1[0], g2[0]) depend(inout : mine[0])
      phases->stencil(b, first, last, *origin + stages);
    }
  }

  void spawn_sums(int b, const TaskChunk& chunk) {
    [[maybe_unused]] double* mine = interior(phases_.plan().slot(b), chunk);
    Phases<Field>* phases = &phases_;
    const int first = chunk.first;
    const int last = chunk.last;
#pragma omp task default(none) firstprivate(phases, b, first, last) shared(mine) depend(in : mine[0])
    phases->sums(b, first, last);
  }

  Phases<Field>& phases_;
  const long long& origin_;
  int variables_ = 1;
  std::array<double*, 32> read_{};  // the creating thread's list, read while a task is created
};

}  // namespace heddle::amr
