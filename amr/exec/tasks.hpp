// What the task variants share: exchange, stencil and sums as tasks with dependences, created by one thread
// (phase_tasks.hpp has the words, and why the dependences suffice).
#pragma once

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "amr/exec/block_addresses.hpp"
#include "amr/exec/loops.hpp"
#include "amr/exec/message_tasks.hpp"
#include "amr/exec/phase_tasks.hpp"
#include "amr/exec/single_tasks.hpp"

namespace heddle::amr {

/// One parallel region lives as long as the simulation; its primary thread creates the tasks and does what is
/// not a task, the others execute.
class TaskModel : public Model<ContiguousField> {
 public:
  void enclose(const std::function<void()>& run) override {
    std::exception_ptr thrown;  // nothing may be thrown out of a parallel region
#pragma omp parallel default(none) shared(run, thrown)
#pragma omp masked
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

  /// origin: as for PhaseTasks.
  TaskSpawner(Simulation<Field>& simulation, const long long& origin, MessageTasks* messages)
      : TaskSpawner(simulation, std::make_unique<SingleTasks>(simulation.phases(), origin), messages) {}

  /// tasks: others than one for each block.
  TaskSpawner(Simulation<Field>& simulation, std::unique_ptr<PhaseTasks> tasks,
              MessageTasks* messages = nullptr)
      : phases_(simulation.phases()), tasks_(std::move(tasks)), messages_(messages) {
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
        tasks_->stencil(still, chunk, group.global_stage);
        if (with_sums) tasks_->sums(chunk, table);
      }
      return;
    }
    for (const TaskChunk& chunk : chunks) {
      if (phases_.all_axes_at_once()) {
        spawn_exchanges(chunk);
      } else {
        for (const int axis : group.axes) tasks_->exchange(axis, chunk);
      }
      tasks_->stencil(phases_.leaves().all, chunk, group.global_stage);
      if (with_sums) tasks_->sums(chunk, table);
    }
  }

  /// What stands for all that a block has.
  [[nodiscard]] BlockAddresses addresses(const Settings& settings) const {
    std::vector<int> sentinels;
    StageGroup group;
    for (; group.first < settings.num_vars; group.first = group.last) {
      group.last = std::min(group.first + settings.comm_vars, settings.num_vars);
      for (const TaskChunk& chunk : chunks_of(group)) {
        if (sentinels.empty() || sentinels.back() != chunk.sentinel) sentinels.push_back(chunk.sentinel);
      }
    }
    return {phases_.field, std::move(sentinels)};
  }

  /// Creates a task for each block b that calls read(b), between those that write all of its interior, and
  /// the ghosts that it keeps, before and after. read stays until they have ended.
  void spawn_reads(const Settings& settings, const std::function<void(int b)>& read) {
    const BlockAddresses of_block = addresses(settings);
    std::vector<double*> all;
    for (int b = 0; b < phases_.blocks(); ++b) {
      all.clear();
      of_block.add_values(phases_.plan().slot(b), all);
      [[maybe_unused]] double** values = all.data();
      const int count = static_cast<int>(all.size());
      const auto* body = &read;
#pragma omp task default(none) firstprivate(body, b) shared(values, count) \
    depend(iterator(int n = 0 : count), in : values[n][0])
      (*body)(b);
    }
  }

  /// Creates a task for each block that ends when no stencil, exchange or sum of it is in flight on this mesh
  /// any more, and reads left[0].
  void leave(const Settings& settings, [[maybe_unused]] char* left) {
    const BlockAddresses of_block = addresses(settings);
    std::vector<double*> all;
    std::vector<BlockSums*> sums;
    for (int b = 0; b < phases_.blocks(); ++b) {
      all.clear();
      sums.clear();
      of_block.add_values(phases_.plan().slot(b), all);
      for (const int v : of_block.sentinels()) {
        for (int table = 0; table < 2; ++table) sums.push_back(phases_.sums_sentinel(b, v, table));
      }
      [[maybe_unused]] double** values = all.data();
      [[maybe_unused]] BlockSums** written = sums.data();
      const int count = static_cast<int>(all.size());
      const int sum_count = static_cast<int>(sums.size());
#pragma omp task default(none) shared(values, count, written, sum_count, left) \
    depend(iterator(int n = 0 : count), in : values[n][0])                     \
    depend(iterator(int n = 0 : sum_count), out : written[n][0]) depend(in : left[0])
      {
      }
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
        for (const TaskChunk& chunk : chunks) tasks_->exchange(axis, chunk);
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
          tasks_->stencil(phases_.leaves().inner(), chunk, group.global_stage);
        else
          spawn_exchanges(chunk);
      }
#pragma omp taskwait
      phases_.finish_messages(for_each);
      return;
    }
    for (const int axis : group.axes) {
      phases_.begin_messages(std::array{axis}, group.first, group.last, group.global_stage, for_each);
      for (const TaskChunk& chunk : chunks) tasks_->exchange(axis, chunk);
#pragma omp taskwait
      phases_.finish_messages(for_each);
    }
  }

  void spawn_exchanges(const TaskChunk& chunk) {
    if (!phases_.has_faces()) tasks_->exchange(chunk);  // with faces stencils read their neighbours
  }

  Phases<Field>& phases_;
  std::unique_ptr<PhaseTasks> tasks_;
  MessageTasks* messages_;  // null: the creating thread talks to other ranks
  int variables_ = 1;
};

}  // namespace heddle::amr
