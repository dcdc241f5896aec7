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
// Where the field has faces, F(b, g) stands for those of generation g, and G(b, 0) for what other ranks send.
// The stencil of a stage reads F(n, g) of its neighbours and G(b, 0), and writes I(b) and F(b, 1 - g); it
// reads its own F(b, g) at the domain's boundary, which it wrote together with I(b) the stage before.
//
// Why iterators: a block has up to 24 neighbours; the list is made at run time. ([[maybe_unused]]: GCC 12
// does not count a depend clause as a use.)
#pragma once

#include <array>
#include <exception>
#include <span>
#include <vector>

#include "amr/exec/loops.hpp"
#include "amr/exec/message_tasks.hpp"

namespace heddle::amr {

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

  /// messages: those to other ranks; null where they are no tasks.
  explicit TaskSpawner(Simulation<Field>& simulation, MessageTasks* messages = nullptr)
      : TaskSpawner(simulation, kFromTheBeginning, messages) {}

  /// origin: what the tasks' global stages are counted from, read when they run, so that the same tasks can
  /// run again later. It stays until they have ended.
  TaskSpawner(Simulation<Field>& simulation, const long long& origin, MessageTasks* messages)
      : phases_(simulation.phases), origin_(origin), messages_(messages) {
    const int wanted = simulation.settings().task_vars;
    variables_ = wanted > 0 ? wanted : variables_per_chunk(simulation);
  }

  /// The chunks of a group. Variables that couple stay together, under one name for all groups.
  [[nodiscard]] std::vector<TaskChunk> chunks_of(const StageGroup& group) const {
    if (phases_.variables_couple()) return {{group.first, group.last, 0}};
    std::vector<TaskChunk> chunks;
    for (int first = group.first; first < group.last; first += variables_)
      chunks.push_back({first, std::min(first + variables_, group.last), first});
    return chunks;
  }

  /// Creates the exchange and stencil tasks of a group on all blocks, and those of its sums, into a table of
  /// Phases, where it is asked.
  void spawn(const StageGroup& group, bool with_sums, int table = 0) {
    const std::vector<TaskChunk> chunks = chunks_of(group);
    if (phases_.has_other_ranks()) {
      std::span<const int> still = phases_.leaves().all;  // whose stencils there are no tasks for yet
      if (messages_ != nullptr) {
        spawn_exchange_with_ranks(group, chunks);
      } else {
        exchange_with_ranks(group, chunks);
        if (phases_.has_faces()) still = phases_.leaves().border();
      }
      for (const TaskChunk& chunk : chunks) {
        spawn_stencils(group, chunk, still);
        if (with_sums) spawn_sums(chunk, table);
      }
      return;
    }
    for (const TaskChunk& chunk : chunks) {
      if (phases_.all_axes_at_once()) {
        spawn_exchanges(chunk);
      } else {
        for (const int axis : group.axes) spawn_exchanges(axis, chunk);
      }
      spawn_stencils(group, chunk, phases_.leaves().all);
      if (with_sums) spawn_sums(chunk, table);
    }
  }

  /// Creates a task for each block b that calls read(b), between those that write all of its interior before
  /// and after. read stays until they have ended.
  void spawn_reads(const Settings& settings, const std::function<void(int b)>& read) {
    std::vector<double*> all;
    for (int b = 0; b < phases_.blocks(); ++b) {
      all.clear();
      StageGroup group;
      for (; group.first < settings.num_vars; group.first = group.last) {
        group.last = std::min(group.first + settings.comm_vars, settings.num_vars);
        for (const TaskChunk& chunk : chunks_of(group))
          all.push_back(interior(phases_.plan().slot(b), chunk));
      }
      [[maybe_unused]] double** interiors = all.data();
      const int count = static_cast<int>(all.size());
      const auto* body = &read;
#pragma omp task default(none) firstprivate(body, b) shared(interiors, count) \
    depend(iterator(int n = 0 : count), in : interiors[n][0])
      (*body)(b);
    }
  }

  /// The addresses that the tasks of a group's sums write, for a depend clause.
  [[nodiscard]] std::vector<BlockSums*> sums_of(const StageGroup& group, int table) const {
    std::vector<BlockSums*> written;
    for (const TaskChunk& chunk : chunks_of(group)) {
      for (int b = 0; b < phases_.blocks(); ++b)
        written.push_back(phases_.sums_sentinel(b, chunk.sentinel, table));
    }
    return written;
  }

 private:
  // Exchanges within the rank come behind the first messages, and before all that waits for one.
  void spawn_exchange_with_ranks(const StageGroup& group, const std::vector<TaskChunk>& chunks) {
    if (!phases_.all_axes_at_once()) {
      for (const int axis : group.axes) {
        messages_->begin(group, axis, chunks);
        for (const TaskChunk& chunk : chunks) spawn_exchanges(axis, chunk);
        messages_->finish(group, axis, chunks);
      }
      return;
    }
    const auto rest = std::span(group.axes).subspan(1);
    messages_->begin(group, group.axes.front(), chunks);
    if (!messages_->share_memory()) {
      for (const int axis : rest) messages_->begin(group, axis, chunks);
    }
    for (const TaskChunk& chunk : chunks) spawn_exchanges(chunk);
    messages_->finish(group, group.axes.front(), chunks);
    for (const int axis : rest) {
      if (messages_->share_memory()) messages_->begin(group, axis, chunks);
      messages_->finish(group, axis, chunks);
    }
  }

  // The creating thread talks to other ranks between the phases: tasks wait for it, and it for them.
  // Meanwhile ghosts are exchanged within the rank, or with faces the inner blocks computed.
  void exchange_with_ranks(const StageGroup& group, const std::vector<TaskChunk>& chunks) {
    const auto for_each = [](int n, auto&& face) { for_blocks(Schedule::in_order, n, face); };
#pragma omp taskwait
    if (phases_.all_axes_at_once()) {
      phases_.begin_messages(group.axes, group.first, group.last, group.global_stage, for_each);
      for (const TaskChunk& chunk : chunks) {
        if (phases_.has_faces())
          spawn_stencils(group, chunk, phases_.leaves().inner());
        else
          spawn_exchanges(chunk);
      }
#pragma omp taskwait
      phases_.finish_messages(for_each);
      return;
    }
    for (const int axis : group.axes) {
      phases_.begin_messages(std::array{axis}, group.first, group.last, group.global_stage, for_each);
      for (const TaskChunk& chunk : chunks) spawn_exchanges(axis, chunk);
#pragma omp taskwait
      phases_.finish_messages(for_each);
    }
  }

  void spawn_exchanges(const TaskChunk& chunk) {
    if (phases_.has_faces()) return;  // stencils read their neighbours
    for (int b = 0; b < phases_.blocks(); ++b) spawn_exchange(b, chunk);
  }
  void spawn_exchanges(int axis, const TaskChunk& chunk) {
    for (int b = 0; b < phases_.blocks(); ++b) spawn_exchange(b, axis, chunk);
  }
  void spawn_stencils(const StageGroup& group, const TaskChunk& chunk, std::span<const int> leaves) {
    for (const int b : leaves) {
      if (phases_.has_faces())
        spawn_stencil_of_faces(b, chunk, group.global_stage);
      else
        spawn_stencil(b, chunk, group.global_stage - origin_);
    }
  }
  void spawn_sums(const TaskChunk& chunk, int table) {
    for (int b = 0; b < phases_.blocks(); ++b) spawn_sums(b, chunk, table);
  }

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

  void spawn_stencil_of_faces(int b, const TaskChunk& chunk, long long global_stage) {
    const TransferPlan& plan = phases_.plan();
    const int slot = plan.slot(b);
    const int generation = Phases<Field>::generation_of(global_stage);
    int count = 0;
    read_[count++] = ghost(slot, 0, chunk);
    for (const Transfer& transfer : plan.into(b)) {
      if (transfer.reads_own_neighbour())
        read_[count++] = phases_.field.face_sentinel(transfer.source, chunk.sentinel, generation);
    }
    [[maybe_unused]] double** read = read_.data();
    [[maybe_unused]] double* mine = interior(slot, chunk);
    [[maybe_unused]] double* faces = phases_.field.face_sentinel(slot, chunk.sentinel, 1 - generation);
    Phases<Field>* phases = &phases_;
    const long long* origin = &origin_;
    const long long stages = global_stage - origin_;
    const int first = chunk.first;
    const int last = chunk.last;
#pragma omp task default(none) firstprivate(phases, origin, b, first, last, stages)       \
    shared(read, count, mine, faces) depend(iterator(int n = 0 : count), in : read[n][0]) \
    depend(inout : mine[0]) depend(out : faces[0])
    phases->stencil(b, first, last, *origin + stages);
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

  void spawn_sums(int b, const TaskChunk& chunk, int table) {
    [[maybe_unused]] BlockSums* written = phases_.sums_sentinel(b, chunk.sentinel, table);
    [[maybe_unused]] double* mine = interior(phases_.plan().slot(b), chunk);
    Phases<Field>* phases = &phases_;
    const int first = chunk.first;
    const int last = chunk.last;
#pragma omp task default(none) firstprivate(phases, b, first, last, table) shared(mine, written) \
    depend(in : mine[0]) depend(out : written[0])
    phases->sums(b, first, last, table);
  }

  Phases<Field>& phases_;
  const long long& origin_;
  MessageTasks* messages_;  // null: the creating thread talks to other ranks
  int variables_ = 1;
  std::array<double*, 32> read_{};  // the creating thread's list, read while a task is created
};

}  // namespace heddle::amr
