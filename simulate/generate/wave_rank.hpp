// One rank of heddle-wave as it is written down: its patches, its messages, and what its work takes.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "simulate/generate/scripts.hpp"
#include "simulate/generate/wave_costs.hpp"
#include "simulate/workload/workload.hpp"
#include "wave/exec/engine.hpp"
#include "wave/exec/models.hpp"
#include "wave/problem/initial_mesh.hpp"

namespace heddle::simulate {

// Names of what is executed, and their numbers among the workload's kinds.
enum class WaveKind : int {
  kInitial,
  kTraversal,
  kEnclave,
  kPrepare,
  kComplete,
  kLength,
  kSend,
  kReceive,
  kReduction,
  kWait
};
const std::vector<std::string>& wave_kinds();

class WaveRank {
 public:
  using What = wave::Sent::What;

  /// What goes to and comes from one other rank, once. Numbers of the text's messages.
  struct Exchange {
    int send = 0, receive = 0;
    double doubles = 0;  // that are packed
  };

  WaveRank(const wave::InitialMesh& mesh, int rank, int ranks, const WaveCosts& costs, ProcessText& text);

  [[nodiscard]] const wave::PatchGraph& graph() const { return share_.graph; }
  [[nodiscard]] bool has_other_ranks() const { return has_other_ranks_; }
  [[nodiscard]] bool completing_reads_around() const { return size_.face_state_layer > 0; }
  /// By the graph's messages. copy: 0 or 1.
  [[nodiscard]] const std::vector<Exchange>& exchanges(What what, int copy) const {
    return exchanges_[what == What::states ? 0 : 1][static_cast<std::size_t>(copy)];
  }
  /// The part in the least limit of all ranks.
  [[nodiscard]] int reduction() const { return reduction_; }

  /// ns of a traversal's share of a patch.
  [[nodiscard]] double of_patch(wave::Traversal traversal) const {
    return (traversal == wave::Traversal::completes ? 0 : prepare_) +
           (traversal == wave::Traversal::prepares ? 0 : complete_);
  }
  /// ns to pack and start what goes to one other rank.
  [[nodiscard]] double sending(const Exchange& one) const { return costs_.pack * one.doubles + costs_.call; }
  [[nodiscard]] double receiving() const { return costs_.call; }

  /// All messages at once, by one thread: wave/patch/layer_exchange.hpp.
  void start_exchange(Script& script, What what) const;
  void finish_exchange(Script& script, What what) const;
  /// The least limit, waited for.
  void reduce(Script& script) const;

 private:
  std::vector<Exchange> exchanges_of(double layer, int channel, ProcessText& text) const;

  const WaveCosts& costs_;
  wave::InitialMesh::Share share_;
  wave::PatchSize size_;
  double prepare_, complete_;
  bool has_other_ranks_;
  std::array<std::array<std::vector<Exchange>, 2>, 2> exchanges_;  // of states and face states, by copy
  int reduction_ = -1;
};

/// The script of so many steps, by model. threads: of a rank.
void write_step_by_step(const WaveRank& rank, const wave::ModelRequest& model, int threads, int steps,
                        ProcessText& text);
void write_data_flow(const WaveRank& rank, int steps, ProcessText& text);

}  // namespace heddle::simulate
