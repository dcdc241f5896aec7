// heddle-wave's models whose traversals begin when the one before has ended (wave/exec/serial.cpp, bsp.cpp,
// enclave.cpp): one thread talks to other ranks, between the traversals.
#include <cmath>
#include <utility>
#include <vector>

#include "simulate/generate/wave_rank.hpp"
#include "wave/exec/classification.hpp"

namespace heddle::simulate {
namespace {

using wave::Traversal;
using What = WaveRank::What;

class TraversalWriter {
 public:
  TraversalWriter(const WaveRank& rank, const wave::ModelRequest& model, int threads, ProcessText& text)
      : rank_(rank), model_(model), text_(text) {
    const int partitions = model.partitions == 0 ? threads : model.partitions;
    begins_ = wave::cut_patches(rank.graph().patches(), partitions, model.cut);
    if (model.name != "enclave") return;
    reasons_ = wave::classify(rank.graph(), begins_);
  }

  void write(int steps) {
    Script all, step;
    if (model_.name == "enclave") exchange(all, What::states);
    if (rank_.completing_reads_around()) {
      traverse(step, Traversal::prepares);
      traverse(step, Traversal::completes);
    } else {
      traverse(step, Traversal::both);
    }
    if (steps > 0) {
      const Script call = repeated(text_, steps, std::move(step));
      all.insert(all.end(), call.begin(), call.end());
    }
    if (model_.name != "enclave") {
      text_.main = std::move(all);
      return;
    }
    text_.scripts.push_back(std::move(all));
    text_.main = region({Op::kSingle, static_cast<std::int64_t>(text_.scripts.size()) - 1});
  }

 private:
  [[nodiscard]] int partitions() const { return static_cast<int>(begins_.size()) - 1; }
  [[nodiscard]] int begin(int part) const { return begins_[static_cast<std::size_t>(part)]; }
  [[nodiscard]] double length(Traversal traversal, int patches) const {
    return rank_.of_patch(traversal) * patches;
  }

  void exchange(Script& script, What what) const {
    rank_.start_exchange(script, what);
    rank_.finish_exchange(script, what);
  }

  // Enclaves exchange what the next traversal needs, the others what this one does.
  void traverse(Script& script, Traversal traversal) {
    if (model_.name == "enclave") {
      enclave(script, traversal, traversal == Traversal::prepares ? What::face_states : What::states);
    } else {
      exchange(script, traversal == Traversal::completes ? What::face_states : What::states);
      if (model_.name == "serial") {
        add_work(script, length(traversal, rank_.graph().patches()));
      } else {
        const Script share =
            region(model_.name == "bsp" ? Step{Op::kSingle, single(taskloop(traversal, false))}
                                        : Step{Op::kLoop, loop(traversal)});
        script.insert(script.end(), share.begin(), share.end());
      }
    }
    if (traversal != Traversal::prepares) rank_.reduce(script);
  }

  Script region(Step inside) {
    text_.regions.push_back({0, 1, false, {inside, {Op::kBarrier, 0}}});
    return {{Op::kRegion, static_cast<std::int64_t>(text_.regions.size()) - 1}};
  }
  std::int64_t single(std::int64_t taskloop) {
    text_.scripts.push_back({{Op::kTaskloop, taskloop}, {Op::kGroupEnd, 0}});
    return static_cast<std::int64_t>(text_.scripts.size()) - 1;
  }

  [[nodiscard]] bool is_enclave(int patch) const { return reasons_[static_cast<std::size_t>(patch)] == 0; }
  [[nodiscard]] int skeletons(int part) const {
    int count = 0;
    for (int patch = begin(part); patch < begin(part + 1); ++patch) count += is_enclave(patch) ? 0 : 1;
    return count;
  }

  // A task a partition; of skeleton patches alone those that say when they are complete.
  std::int64_t taskloop(Traversal traversal, bool of_skeleton) {
    Script creations;
    for (int part = 0; part < partitions(); ++part) {
      const int patches = of_skeleton ? skeletons(part) : begin(part + 1) - begin(part);
      std::vector<DependenceOn> on;
      if (of_skeleton) on.push_back({primary(part), kOut});
      add_task(text_, creations, static_cast<int>(WaveKind::kTraversal), std::move(on),
               length(traversal, patches));
    }
    text_.taskloops.push_back(std::move(creations));
    return static_cast<std::int64_t>(text_.taskloops.size()) - 1;
  }

  std::int64_t loop(Traversal traversal) {
    LoopText loop{partitions(), Schedule::kDynamic, {}};
    for (int part = 0; part < partitions(); ++part)
      loop.parts.push_back(std::llround(length(traversal, begin(part + 1) - begin(part))));
    text_.loops.push_back(std::move(loop));
    return static_cast<std::int64_t>(text_.loops.size()) - 1;
  }

  // Addresses: of patches, and of partitions' primary traversals.
  [[nodiscard]] std::int64_t primary(int part) const { return rank_.graph().patches() + part; }

  // --wait dependence: make_dependent_tasks(), primary(), collect_dependent_tasks(). The primary traversals'
  // taskgroup is here a task that waits for them, since a group's end would wait for the enclaves as well.
  void enclave(Script& script, Traversal traversal, What sent) {
    for (int patch = 0; patch < rank_.graph().patches(); ++patch) {
      if (!is_enclave(patch)) continue;
      add_task(text_, script, static_cast<int>(WaveKind::kEnclave), {{patch, kOut}}, length(traversal, 1))
          .is_background = model_.strategy.is_background;
    }
    script.push_back({Op::kTaskloop, taskloop(traversal, true)});
    std::vector<DependenceOn> traversals;
    for (int part = 0; part < partitions(); ++part) traversals.push_back({primary(part), kIn});
    add_task(text_, script, static_cast<int>(WaveKind::kWait), std::move(traversals), 0).is_undeferred = true;
    rank_.start_exchange(script, sent);
    for (int part = 0; part < partitions(); ++part) {
      std::vector<DependenceOn> enclaves;
      for (int patch = begin(part); patch < begin(part + 1); ++patch)
        if (is_enclave(patch)) enclaves.push_back({patch, kIn});
      add_task(text_, script, static_cast<int>(WaveKind::kWait), std::move(enclaves), 0);
    }
    script.push_back({Op::kTaskwait, 0});
    rank_.finish_exchange(script, sent);
  }

  const WaveRank& rank_;
  const wave::ModelRequest& model_;
  ProcessText& text_;
  std::vector<int> begins_;
  std::vector<unsigned char> reasons_;
};

}  // namespace

void write_step_by_step(const WaveRank& rank, const wave::ModelRequest& model, int threads, int steps,
                        ProcessText& text) {
  TraversalWriter(rank, model, threads, text).write(steps);
}

}  // namespace heddle::simulate
