// taskloop: task-2 with each phase a taskloop over blocks whose iterations have dependences, as OpenMP 6.0
// has it: the task_iteration directive. Compilers of OpenMP 5 do not know it; 'heddle cc' compiles this file.
//
// Words: reads[begins[i] .. begins[i + 1]) are what iteration i reads, writes[i] what it writes. The lists
// are looked at while tasks are created, all of them by the thread that meets the taskloop.
// ([[maybe_unused]]: as in single_tasks.hpp.)
#include <span>
#include <vector>

#include "amr/exec/phase_tasks.hpp"
#include "amr/exec/task_models.hpp"
#include "amr/exec/tasks.hpp"

namespace heddle::amr {
namespace {

class TaskloopTasks final : public PhaseTasks {
 public:
  using PhaseTasks::PhaseTasks;

  void exchange(const TaskChunk& chunk) override {
    list(phases().blocks(), [&](int b) {
      add_reads_of_exchange(b, chunk, reads_);
      writes_.push_back(ghosts(b, 0, chunk));
    });
    exchange_listed([phases = &phases(), first = chunk.first, last = chunk.last](int b) {
      phases->exchange_all_axes(b, first, last);
    });
  }

  void exchange(int axis, const TaskChunk& chunk) override {
    list(phases().blocks(), [&](int b) {
      add_reads_of_exchange(b, axis, chunk, reads_);
      writes_.push_back(ghosts(b, axis, chunk));
    });
    exchange_listed([phases = &phases(), axis, first = chunk.first, last = chunk.last](int b) {
      phases->exchange(b, axis, first, last);
    });
  }

  void stencil(std::span<const int> leaves, const TaskChunk& chunk, long long global_stage) override {
    const int generation = Phases<Field>::generation_of(global_stage);
    const int blocks = static_cast<int>(leaves.size());
    faces_.clear();
    list(blocks, [&](int i) {
      add_reads_of_stencil(leaves[static_cast<std::size_t>(i)], chunk, generation, reads_);
      writes_.push_back(interior(leaves[static_cast<std::size_t>(i)], chunk));
      if (phases().has_faces())
        faces_.push_back(faces(leaves[static_cast<std::size_t>(i)], chunk, 1 - generation));
    });
    Phases<Field>* phases = &this->phases();
    const int* leaf = leaves.data();
    const long long* origin = &this->origin();
    const long long stages = global_stage - *origin;
    const int first = chunk.first;
    const int last = chunk.last;
    const bool has_faces = phases->has_faces();
    [[maybe_unused]] double** reads = reads_.data();
    [[maybe_unused]] double** writes = writes_.data();
    [[maybe_unused]] double** next_faces = faces_.data();
    const int* begins = begins_.data();
#pragma omp taskloop nogroup grainsize(1) default(none) firstprivate( \
        phases, leaf, origin, stages, first, last) shared(reads, writes, next_faces, begins, has_faces)
    for (int i = 0; i < blocks; ++i) {
#pragma omp task_iteration depend(iterator(int n = begins[i] : begins[i + 1]), in : reads[n][0]) \
    depend(inout : writes[i][0])
#pragma omp task_iteration if (has_faces) depend(out : next_faces[i][0])
      phases->stencil(leaf[i], first, last, *origin + stages);
    }
  }

  void sums(const TaskChunk& chunk, int table) override {
    Phases<Field>* phases = &this->phases();
    const int blocks = phases->blocks();
    const int first = chunk.first;
    const int last = chunk.last;
    reads_.clear();
    written_.clear();
    for (int b = 0; b < blocks; ++b) {
      reads_.push_back(interior(b, chunk));
      written_.push_back(phases->sums_sentinel(b, chunk.sentinel, table));
    }
    [[maybe_unused]] double** reads = reads_.data();
    [[maybe_unused]] BlockSums** written = written_.data();
#pragma omp taskloop nogroup grainsize(1) default(none) firstprivate(phases, first, last, table) \
    shared(reads, written)
    for (int b = 0; b < blocks; ++b) {
#pragma omp task_iteration depend(in : reads[b][0]) depend(out : written[b][0])
      phases->sums(b, first, last, table);
    }
  }

 private:
  // add(i) appends what iteration i reads and writes.
  template <class Add>
  void list(int iterations, Add&& add) {
    reads_.clear();
    writes_.clear();
    begins_.clear();
    for (int i = 0; i < iterations; ++i) {
      begins_.push_back(static_cast<int>(reads_.size()));
      add(i);
    }
    begins_.push_back(static_cast<int>(reads_.size()));
  }

  // exchange(b) exchanges block b.
  template <class Exchange>
  void exchange_listed(const Exchange& exchange) {
    const int blocks = static_cast<int>(writes_.size());
    [[maybe_unused]] double** reads = reads_.data();
    [[maybe_unused]] double** writes = writes_.data();
    const int* begins = begins_.data();
#pragma omp taskloop nogroup grainsize(1) default(none) firstprivate(exchange) shared(reads, writes, begins)
    for (int b = 0; b < blocks; ++b) {
#pragma omp task_iteration depend(iterator(int n = begins[b] : begins[b + 1]), in : reads[n][0]) \
    depend(inout : writes[b][0])
      exchange(b);
    }
  }

  std::vector<double*> reads_, writes_, faces_;
  std::vector<BlockSums*> written_;
  std::vector<int> begins_;
};

class Taskloops final : public TaskModel {
 public:
  bool run_timestep(Simulation<ContiguousField>& simulation) override {
    TaskSpawner spawner(simulation, std::make_unique<TaskloopTasks>(simulation.phases(), kFromTheBeginning));
    return execute_task_2(simulation, spawner);
  }
};

}  // namespace

std::unique_ptr<Model<ContiguousField>> make_taskloop() {
  return std::make_unique<Taskloops>();
}

}  // namespace heddle::amr
