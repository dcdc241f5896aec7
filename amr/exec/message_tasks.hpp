// The exchange between ranks as tasks: receive, pack, send and unpack, with dependences on the sections of
// messages and on the blocks that they come from and go to.
//
// Words: as in tasks.hpp, and S(m, p, c) stands for the section of piece p of message m with chunk c: the
// address where it begins.
//
// Dependences. receive(m) writes every S(m, ., .), unpack(m, p, c) reads one and writes the ghosts of the
// piece's block; pack(m, p, c) reads the interior of the piece's block, or its faces of the stage's
// generation, and ghosts along the other two axes where the axes are not independent, and writes one; send(m)
// reads all. A receive or a send is complete when MPI has done with the memory. So what a buffer held is
// unpacked before the next message comes, and sent before the next is packed. Where a group's directions
// share memory, the tasks of each read its *turn*, which a task between two directions writes. Groups have
// memory and tags of their own, so that one does not wait for another.
//
// (No default(none) beside detach: Clang 19 wants the event listed, which GCC 12 refuses.)
//
// Source: K. Sala et al., "Towards data-flow parallelization for adaptive mesh refinement applications",
// 2020, section IV-A, algorithm 3.
#pragma once

#include <omp.h>

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "amr/exec/simulation.hpp"
#include "amr/halo/message_buffers.hpp"

namespace heddle::amr {

/// Consecutive variables that one task works on.
struct TaskChunk {
  int first = 0;
  int last = 0;
  int sentinel = 0;  // the variable whose addresses stand for the chunk
};

/// Global stages are counted from it where tasks are not executed again.
inline constexpr long long kFromTheBeginning = 0;

class MessageTasks {
 public:
  using Field = ContiguousField;
  using Chunks = std::vector<TaskChunk>;

  /// On the mesh that is now: another one has others, in memory of their own. origin: as for TaskSpawner.
  /// binds: tasks bind their requests, in place of detach; so executions of their record may overlap.
  /// Requires, with it: libheddle.
  MessageTasks(Simulation<Field>& simulation, const long long& origin, bool binds)
      : phases_(simulation.phases()),
        origin_(origin),
        shares_(!simulation.settings().separate_buffers),
        binds_(binds),
        refinements_(simulation.refinements()),
        settings_(simulation.settings()) {}

  /// How often the mesh had changed when it became this one.
  [[nodiscard]] long long refinements() const { return refinements_; }

  /// Whether one direction's tasks wait until those before have done with their messages. Then begin() of an
  /// axis comes after finish() of the one before.
  [[nodiscard]] bool share_memory() const { return shares_; }

  /// Creates the tasks that receive, pack and send along an axis.
  void begin(const StageGroup& group, int axis, const Chunks& chunks) {
    Memory& memory = memory_of(group);
    const MessageBuffers& buffers = *memory.buffers;
    take_turns(memory, axis);
    for (const BufferedMessage& message : buffers.receives(axis))
      spawn_receive(memory, message, group, chunks);
    for (const BufferedMessage& message : buffers.sends(axis)) {
      for (std::size_t p = 0; p < message.pieces.size(); ++p) {
        for (const TaskChunk& chunk : chunks) spawn_pack(memory, message, p, axis, group, chunk);
      }
      spawn_send(memory, message, group, chunks);
    }
  }

  /// What a group's tasks send and receive, whether they are created or replayed.
  void count(const StageGroup& group) {
    if (!phases_.has_other_ranks()) return;
    const MessageBuffers& buffers = *memory_of(group).buffers;
    for (const int axis : group.axes) {
      Traffic& traffic = phases_.messages().traffic(axis);
      for (const BufferedMessage& message : buffers.receives(axis))
        traffic.count_received(message.data().size_bytes(), message.pieces.size());
      for (const BufferedMessage& message : buffers.sends(axis))
        traffic.count_sent(message.data().size_bytes(), message.pieces.size());
    }
  }

  /// The next direction takes its turn, whichever had it last: what is created next is executed again.
  void forget_turns() {
    for (auto& [first, memory] : memory_) memory.turn_of = -1;
  }

  /// Creates tasks that end when no message of this mesh is on its way any more, and read left[0].
  void leave([[maybe_unused]] char* left) {
    for (auto& [first, memory] : memory_) {
      [[maybe_unused]] int* turns = memory.turns.data();
#pragma omp task default(none) shared(turns, left) depend(inout : turns[0], turns[1]) depend(in : left[0])
      {
      }
    }
  }

  /// Creates the tasks that unpack.
  void finish(const StageGroup& group, int axis, const Chunks& chunks) {
    Memory& memory = memory_of(group);
    for (const BufferedMessage& message : memory.buffers->receives(axis)) {
      for (std::size_t p = 0; p < message.pieces.size(); ++p) {
        for (const TaskChunk& chunk : chunks) spawn_unpack(memory, message, p, axis, group, chunk);
      }
    }
  }

 private:
  static constexpr int kMeshes = 2;  // on which tasks may be in flight

  // Of a group of variables.
  struct Memory {
    std::unique_ptr<MessageBuffers> buffers;
    int turn_of = -1;            // which axis has it, where they share it
    std::array<int, 2> turns{};  // of what is received, and sent
  };

  Memory& memory_of(const StageGroup& group) {
    Memory& memory = memory_[group.first];
    if (memory.buffers == nullptr) {
      const int groups = (settings_.num_vars + settings_.comm_vars - 1) / settings_.comm_vars;
      // Messages on two meshes may be on their way together.
      const int tags = exchange::numbered_tags(phases_.ranks().highest_tag(), kMeshes * groups * kAxes);
      const int before =
          static_cast<int>(refinements_ % kMeshes) * groups + group.first / settings_.comm_vars;
      memory.buffers = std::make_unique<MessageBuffers>(
          phases_.message_plan(), phases_.messages().sending(), phases_.rule(), settings_.cells,
          group.last - group.first, shares_, exchange::kNumberedTag + before * kAxes * tags, tags);
    }
    return memory;
  }

  [[nodiscard]] static double* section(const BufferedMessage& message, std::size_t p, const StageGroup& group,
                                       const TaskChunk& chunk) {
    return message.section(p, chunk.first - group.first);
  }

  /// The addresses of all sections of a message, for a depend clause.
  int list_sections(const BufferedMessage& message, const StageGroup& group, const Chunks& chunks) {
    listed_.clear();
    for (std::size_t p = 0; p < message.pieces.size(); ++p) {
      for (const TaskChunk& chunk : chunks) listed_.push_back(section(message, p, group, chunk));
    }
    return static_cast<int>(listed_.size());
  }

  // Before the first task of a direction that uses shared memory.
  void take_turns(Memory& memory, int axis) {
    if (!shares_ || axis == memory.turn_of) return;
    memory.turn_of = axis;
    for (int& turn : memory.turns) {
      int* taken = &turn;
#pragma omp task default(none) firstprivate(taken) depend(inout : taken[0])
      ++*taken;
    }
  }

  void spawn_receive(Memory& memory, const BufferedMessage& message, const StageGroup& group,
                     const Chunks& chunks) {
    const int count = list_sections(message, group, chunks);
    [[maybe_unused]] double** write = listed_.data();
    [[maybe_unused]] int* turn = &memory.turns[0];
    const BufferedMessage* what = &message;
    Communicator* ranks = &phases_.ranks();
    if (binds_) {
#pragma omp task default(none) firstprivate(what, ranks) shared(write, count, turn) \
    depend(iterator(int n = 0 : count), out : write[n][0]) depend(in : turn[0])
      ranks->receive_then_fulfil(what->rank, what->tag, std::as_writable_bytes(what->data()),
                                 Communicator::kOfTask);
      return;
    }
    omp_event_handle_t is_there{};
#pragma omp task firstprivate(what, ranks) shared(write, count, turn) detach(is_there) \
    depend(iterator(int n = 0 : count), out : write[n][0]) depend(in : turn[0])
    ranks->receive_then_fulfil(what->rank, what->tag, std::as_writable_bytes(what->data()),
                               static_cast<Communicator::Event>(is_there));
  }

  void spawn_send(Memory& memory, const BufferedMessage& message, const StageGroup& group,
                  const Chunks& chunks) {
    const int count = list_sections(message, group, chunks);
    [[maybe_unused]] double** read = listed_.data();
    [[maybe_unused]] int* turn = &memory.turns[1];
    const BufferedMessage* what = &message;
    Communicator* ranks = &phases_.ranks();
    if (binds_) {
#pragma omp task default(none) firstprivate(what, ranks) shared(read, count, turn) \
    depend(iterator(int n = 0 : count), in : read[n][0]) depend(in : turn[0])
      ranks->send_then_fulfil(what->rank, what->tag, std::as_bytes(what->data()), Communicator::kOfTask);
      return;
    }
    omp_event_handle_t is_sent{};
#pragma omp task firstprivate(what, ranks) shared(read, count, turn) detach(is_sent) \
    depend(iterator(int n = 0 : count), in : read[n][0]) depend(in : turn[0])
    ranks->send_then_fulfil(what->rank, what->tag, std::as_bytes(what->data()),
                            static_cast<Communicator::Event>(is_sent));
  }

  void spawn_pack(Memory& memory, const BufferedMessage& message, std::size_t p, int axis,
                  const StageGroup& group, const TaskChunk& chunk) {
    const Piece* piece = &message.pieces[p];
    double* to = section(message, p, group, chunk);
    const std::size_t length = message.lengths[p];
    const int generation = Phases<Field>::generation_of(group.global_stage);
    [[maybe_unused]] double* packed =
        phases_.has_faces() ? phases_.field.face_sentinel(piece->slot, chunk.sentinel, generation)
                            : phases_.field.interior_sentinel(piece->slot, chunk.sentinel);
    const long long* origin = &origin_;
    const long long stages = group.global_stage - origin_;
    [[maybe_unused]] int* turn = &memory.turns[1];
    Phases<Field>* phases = &phases_;
    const int first = chunk.first;
    const int last = chunk.last;
    if (phases_.all_axes_at_once()) {
#pragma omp task default(none) firstprivate(phases, origin, stages, piece, first, last, to, length) \
    shared(packed, turn) depend(in : packed[0], turn[0]) depend(out : to[0])
      pack_variables(phases->field, *piece, first, last, phases->rule(),
                     Phases<Field>::generation_of(*origin + stages), length, to);
      return;
    }
    [[maybe_unused]] double* other =
        phases_.field.ghost_sentinel(piece->slot, chunk.sentinel, (axis + 1) % kAxes);
    [[maybe_unused]] double* third =
        phases_.field.ghost_sentinel(piece->slot, chunk.sentinel, (axis + 2) % kAxes);
#pragma omp task default(none) firstprivate(phases, piece, first, last, to, length) shared( \
        packed, other, third, turn) depend(in : packed[0], other[0], third[0], turn[0]) depend(out : to[0])
    pack_variables(phases->field, *piece, first, last, phases->rule(), kOnly, length, to);
  }

  void spawn_unpack(Memory& memory, const BufferedMessage& message, std::size_t p, int axis,
                    const StageGroup& group, const TaskChunk& chunk) {
    const Piece* piece = &message.pieces[p];
    double* from = section(message, p, group, chunk);
    const std::size_t length = message.lengths[p];
    const int stands_for = phases_.all_axes_at_once() ? 0 : axis;
    [[maybe_unused]] double* ghost = phases_.field.ghost_sentinel(piece->slot, chunk.sentinel, stands_for);
    [[maybe_unused]] int* turn = &memory.turns[0];
    Phases<Field>* phases = &phases_;
    const int first = chunk.first;
    const int last = chunk.last;
#pragma omp task default(none) firstprivate(phases, piece, first, last, from, length) shared(ghost, turn) \
    depend(in : from[0], turn[0]) depend(inout : ghost[0])
    unpack_variables(phases->field, *piece, first, last, phases->rule(), length, from);
  }

  Phases<Field>& phases_;
  const long long& origin_;
  bool shares_;
  bool binds_;
  long long refinements_;
  const Settings& settings_;
  std::map<int, Memory> memory_;  // by the group's first variable
  std::vector<double*> listed_;   // the creating thread's, read while a task is created
};

}  // namespace heddle::amr
