// heddle-wave's data-flow model (wave/exec/data_flow.cpp): the tasks of a step and their dependences, with
// the words used there. Steps that are created before it is known that there is none are left out.
#include <span>
#include <utility>
#include <vector>

#include "simulate/generate/wave_rank.hpp"

namespace heddle::simulate {
namespace {

using What = WaveRank::What;

class TaskWriter {
 public:
  TaskWriter(const WaveRank& rank, ProcessText& text)
      : rank_(rank),
        text_(text),
        patches_(rank.graph().patches()),
        messages_(static_cast<int>(rank.exchanges(What::states, 0).size())) {}

  // create_steps().
  Script step(int parity) {
    script_.clear();
    add(WaveKind::kWait, {{slot(parity), kIn}}, 0).is_undeferred = true;
    if (rank_.has_other_ranks())
      bind(add(WaveKind::kReduction, {{slot(parity), kInOut}, {slot(1 - parity), kIn}}, 0),
           rank_.reduction());
    add(WaveKind::kLength, {{slot(parity), kInOut}, {slot(1 - parity), kIn}}, 0);
    for (int patch = 0; patch < patches_; ++patch) {
      prepare(patch, parity);
      if (!rank_.completing_reads_around()) complete(patch, parity);
    }
    if (rank_.completing_reads_around()) {
      for (int m = 0; m < messages_; ++m) exchange(What::face_states, m, parity);
      for (int patch = 0; patch < patches_; ++patch) complete(patch, parity);
    }
    for (int m = 0; m < messages_; ++m) exchange(What::states, m, 1 - parity);
    return script_;
  }

 private:
  // Addresses. copy: a step's of parity p reads copy p and writes the other.
  [[nodiscard]] std::int64_t slot(int parity) const { return parity; }
  [[nodiscard]] std::int64_t state(int patch, int copy) const {
    return 2 + std::int64_t{copy} * patches_ + patch;
  }
  [[nodiscard]] std::int64_t faces(int patch) const { return state(patch, 2); }
  // Of messages: into which and out of which memory, of states by copy, and of face states.
  [[nodiscard]] std::int64_t memory(int which, int m) const {
    return state(0, 3) + std::int64_t{which} * messages_ + m;
  }
  [[nodiscard]] std::int64_t received(What what, int m, int copy) const {
    return memory(what == What::states ? copy : 4, m);
  }
  [[nodiscard]] std::int64_t sent(What what, int m, int copy) const {
    return memory(what == What::states ? 2 + copy : 5, m);
  }

  TaskText& add(WaveKind kind, std::vector<DependenceOn> dependences, double ns) {
    return add_task(text_, script_, static_cast<int>(kind), std::move(dependences), ns);
  }
  static void bind(TaskText& task, int message) {
    task.script.push_back({Op::kPost, message});
    task.script.push_back({Op::kBind, message});
  }

  void prepare(int patch, int copy) {
    const wave::Surroundings around = rank_.graph().surroundings(patch);
    std::vector<DependenceOn> on{{state(patch, copy), kIn}};
    for (const int neighbour : around.neighbours) on.push_back({state(neighbour, copy), kIn});
    for (const int m : around.messages) on.push_back({received(What::states, m, copy), kIn});
    if (rank_.completing_reads_around()) on.push_back({faces(patch), kOut});
    on.push_back({state(patch, 1 - copy), kOut});
    add(WaveKind::kPrepare, std::move(on), rank_.of_patch(wave::Traversal::prepares));
  }

  void complete(int patch, int copy) {
    std::vector<DependenceOn> on{{state(patch, 1 - copy), kInOut}, {slot(copy), kIn}, {slot(1 - copy), kIn}};
    if (rank_.completing_reads_around()) {
      const wave::Surroundings around = rank_.graph().surroundings(patch);
      for (const int neighbour : around.neighbours) on.push_back({faces(neighbour), kIn});
      for (const int m : around.messages) on.push_back({received(What::face_states, m, copy), kIn});
    }
    add(WaveKind::kComplete, std::move(on), rank_.of_patch(wave::Traversal::completes));
  }

  // Of the states in a copy, or of the face states of the step that reads it. Both wait for the length of the
  // step before.
  void exchange(What what, int m, int copy) {
    const WaveRank::Exchange& one = rank_.exchanges(what, copy)[static_cast<std::size_t>(m)];
    bind(add(WaveKind::kReceive, {{slot(1 - copy), kIn}, {received(what, m, copy), kOut}}, rank_.receiving()),
         one.receive);
    std::vector<DependenceOn> on{{slot(1 - copy), kIn}, {sent(what, m, copy), kOut}};
    for (const int patch : rank_.graph().patches_of_message(m))
      on.push_back({what == What::states ? state(patch, copy) : faces(patch), kIn});
    bind(add(WaveKind::kSend, std::move(on), rank_.sending(one)), one.send);
  }

  const WaveRank& rank_;
  ProcessText& text_;
  int patches_, messages_;
  Script script_;
};

}  // namespace

void write_data_flow(const WaveRank& rank, int steps, ProcessText& text) {
  TaskWriter writer(rank, text);
  Script created;
  if (steps >= 2) {
    Script both = writer.step(0);
    const Script second = writer.step(1);
    both.insert(both.end(), second.begin(), second.end());
    created = repeated(text, steps / 2, std::move(both));
  }
  if (steps % 2 == 1) {
    const Script last = writer.step(0);
    created.insert(created.end(), last.begin(), last.end());
  }
  created.push_back({Op::kTaskwait, 0});
  text.scripts.push_back(std::move(created));
  text.regions.push_back({0, 1, false, {{Op::kSingle, 0}, {Op::kBarrier, 0}}});
  rank.start_exchange(text.main, What::states);
  rank.finish_exchange(text.main, What::states);
  text.main.push_back({Op::kRegion, 0});
  rank.reduce(text.main);
}

}  // namespace heddle::simulate
