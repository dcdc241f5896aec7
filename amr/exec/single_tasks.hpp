// The tasks of a phase, one for each block.
//
// Why iterators: a block has up to 24 neighbours; the list is made at run time. ([[maybe_unused]]: GCC 12
// does not count a depend clause as a use.)
#pragma once

#include <span>
#include <vector>

#include "amr/exec/phase_tasks.hpp"

namespace heddle::amr {

class SingleTasks final : public PhaseTasks {
 public:
  using PhaseTasks::PhaseTasks;

  void exchange(const TaskChunk& chunk) override {
    for (int b = 0; b < phases().blocks(); ++b) exchange_block(b, chunk);
  }
  void exchange(int axis, const TaskChunk& chunk) override {
    for (int b = 0; b < phases().blocks(); ++b) exchange_block(b, axis, chunk);
  }
  void stencil(std::span<const int> leaves, const TaskChunk& chunk, long long global_stage) override {
    for (const int b : leaves) {
      if (phases().has_faces())
        stencil_of_faces(b, chunk, global_stage);
      else
        stencil_of_ghosts(b, chunk, global_stage);
    }
  }
  void sums(const TaskChunk& chunk, int table) override {
    for (int b = 0; b < phases().blocks(); ++b) sums_of_block(b, chunk, table);
  }

 private:
  void exchange_block(int b, const TaskChunk& chunk) {
    reads_.clear();
    add_reads_of_exchange(b, chunk, reads_);
    [[maybe_unused]] double** reads = reads_.data();
    const int count = static_cast<int>(reads_.size());
    [[maybe_unused]] double* mine = ghosts(b, 0, chunk);
    Phases<Field>* phases = &this->phases();
    const int first = chunk.first;
    const int last = chunk.last;
#pragma omp task default(none) firstprivate(phases, b, first, last) shared(reads, mine, count) \
    depend(iterator(int n = 0 : count), in : reads[n][0]) depend(out : mine[0])
    phases->exchange_all_axes(b, first, last);
  }

  void exchange_block(int b, int axis, const TaskChunk& chunk) {
    reads_.clear();
    add_reads_of_exchange(b, axis, chunk, reads_);
    [[maybe_unused]] double** reads = reads_.data();
    const int count = static_cast<int>(reads_.size());
    [[maybe_unused]] double* mine = ghosts(b, axis, chunk);
    Phases<Field>* phases = &this->phases();
    const int first = chunk.first;
    const int last = chunk.last;
#pragma omp task default(none) firstprivate(phases, b, axis, first, last) shared(reads, mine, count) \
    depend(iterator(int n = 0 : count), in : reads[n][0]) depend(inout : mine[0])
    phases->exchange(b, axis, first, last);
  }

  void stencil_of_faces(int b, const TaskChunk& chunk, long long global_stage) {
    const int generation = Phases<Field>::generation_of(global_stage);
    reads_.clear();
    add_reads_of_stencil(b, chunk, generation, reads_);
    [[maybe_unused]] double** reads = reads_.data();
    const int count = static_cast<int>(reads_.size());
    [[maybe_unused]] double* mine = interior(b, chunk);
    [[maybe_unused]] double* next_faces = faces(b, chunk, 1 - generation);
    Phases<Field>* phases = &this->phases();
    const long long* origin = &this->origin();
    const long long stages = global_stage - *origin;
    const int first = chunk.first;
    const int last = chunk.last;
#pragma omp task default(none) firstprivate(phases, origin, b, first, last, stages)              \
    shared(reads, count, mine, next_faces) depend(iterator(int n = 0 : count), in : reads[n][0]) \
    depend(inout : mine[0]) depend(out : next_faces[0])
    phases->stencil(b, first, last, *origin + stages);
  }

  void stencil_of_ghosts(int b, const TaskChunk& chunk, long long global_stage) {
    reads_.clear();
    add_reads_of_stencil(b, chunk, Phases<Field>::generation_of(global_stage), reads_);
    [[maybe_unused]] double** reads = reads_.data();
    const int count = static_cast<int>(reads_.size());
    [[maybe_unused]] double* mine = interior(b, chunk);
    Phases<Field>* phases = &this->phases();
    const long long* origin = &this->origin();
    const long long stages = global_stage - *origin;
    const int first = chunk.first;
    const int last = chunk.last;
#pragma omp task default(none) firstprivate(phases, origin, b, first, last, stages) \
    shared(reads, count, mine) depend(iterator(int n = 0 : count), in : reads[n][0]) depend(inout : mine[0])
    phases->stencil(b, first, last, *origin + stages);
  }

  void sums_of_block(int b, const TaskChunk& chunk, int table) {
    [[maybe_unused]] BlockSums* written = phases().sums_sentinel(b, chunk.sentinel, table);
    [[maybe_unused]] double* mine = interior(b, chunk);
    Phases<Field>* phases = &this->phases();
    const int first = chunk.first;
    const int last = chunk.last;
#pragma omp task default(none) firstprivate(phases, b, first, last, table) shared(mine, written) \
    depend(in : mine[0]) depend(out : written[0])
    phases->sums(b, first, last, table);
  }

  std::vector<double*> reads_;  // read while a task is created
};

}  // namespace heddle::amr
