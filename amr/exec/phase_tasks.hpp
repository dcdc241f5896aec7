// The tasks of one phase on a rank's blocks, exchange, stencil or sums, and what they read and write.
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
#pragma once

#include <span>
#include <vector>

#include "amr/exec/loops.hpp"
#include "amr/exec/message_tasks.hpp"

namespace heddle::amr {

class PhaseTasks {
 public:
  using Field = ContiguousField;

  /// origin: what the tasks' global stages are counted from, read when they run, so that the same tasks can
  /// run again later. It stays until they have ended.
  PhaseTasks(Phases<Field>& phases, const long long& origin) : phases_(phases), origin_(origin) {}
  PhaseTasks(const PhaseTasks&) = delete;
  PhaseTasks& operator=(const PhaseTasks&) = delete;
  virtual ~PhaseTasks() = default;

  // Each creates tasks of a chunk of variables, on all blocks or on some. Requires: one thread calls; the
  // mesh stays until the tasks have ended.

  /// Of all axes. Requires: they are independent.
  virtual void exchange(const TaskChunk& chunk) = 0;
  /// Requires: they are not.
  virtual void exchange(int axis, const TaskChunk& chunk) = 0;
  virtual void stencil(std::span<const int> leaves, const TaskChunk& chunk, long long global_stage) = 0;
  virtual void sums(const TaskChunk& chunk, int table) = 0;

 protected:
  [[nodiscard]] Phases<Field>& phases() const { return phases_; }
  [[nodiscard]] const long long& origin() const { return origin_; }

  // What stands for them, by block.
  [[nodiscard]] double* interior(int b, const TaskChunk& chunk) { return interior_of(slot(b), chunk); }
  [[nodiscard]] double* ghosts(int b, int axis, const TaskChunk& chunk) {
    return ghosts_of(slot(b), axis, chunk);
  }
  [[nodiscard]] double* faces(int b, const TaskChunk& chunk, int generation) {
    return phases_.field.face_sentinel(slot(b), chunk.sentinel, generation);
  }

  // What a task reads, behind what is in the list.

  void add_reads_of_exchange(int b, const TaskChunk& chunk, std::vector<double*>& to) {
    for (const Transfer& transfer : phases_.plan().into(b)) {
      if (transfer.reads_own_neighbour()) to.push_back(interior_of(transfer.source, chunk));
    }
  }
  void add_reads_of_exchange(int b, int axis, const TaskChunk& chunk, std::vector<double*>& to) {
    const auto add_block = [&](int slot) {
      to.push_back(interior_of(slot, chunk));
      to.push_back(ghosts_of(slot, (axis + 1) % kAxes, chunk));
      to.push_back(ghosts_of(slot, (axis + 2) % kAxes, chunk));
    };
    add_block(slot(b));
    for (const Transfer& transfer : phases_.plan().into_axis(b, axis)) {
      if (transfer.reads_own_neighbour()) add_block(transfer.source);
    }
  }
  void add_reads_of_stencil(int b, const TaskChunk& chunk, int generation, std::vector<double*>& to) {
    to.push_back(ghosts(b, 0, chunk));
    if (phases_.has_faces()) {
      for (const Transfer& transfer : phases_.plan().into(b)) {
        if (transfer.reads_own_neighbour())
          to.push_back(phases_.field.face_sentinel(transfer.source, chunk.sentinel, generation));
      }
    } else if (!phases_.all_axes_at_once()) {
      to.push_back(ghosts(b, 1, chunk));
      to.push_back(ghosts(b, 2, chunk));
    }
  }

 private:
  [[nodiscard]] int slot(int b) const { return phases_.plan().slot(b); }
  [[nodiscard]] double* interior_of(int slot, const TaskChunk& chunk) {
    return phases_.field.interior_sentinel(slot, chunk.sentinel);
  }
  [[nodiscard]] double* ghosts_of(int slot, int axis, const TaskChunk& chunk) {
    return phases_.field.ghost_sentinel(slot, chunk.sentinel, axis);
  }

  Phases<Field>& phases_;
  const long long& origin_;
};

}  // namespace heddle::amr
