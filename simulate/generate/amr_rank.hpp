// One rank of heddle-amr as it is written down: its plans, the sizes of its pieces of work, and its scripts.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "amr/halo/pieces.hpp"
#include "amr/halo/rank_exchange.hpp"
#include "amr/io/settings.hpp"
#include "simulate/generate/amr_costs.hpp"
#include "simulate/generate/amr_mesh.hpp"
#include "simulate/generate/scripts.hpp"
#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

// Names of what is executed, and their numbers among the workload's kinds.
enum class AmrKind : int {
  kInitial,
  kPack,
  kUnpack,
  kStencil,
  kSums,
  kSend,
  kReceive,
  kTurn,
  kReduction,
  kValidation
};
const std::vector<std::string>& amr_kinds();

class AmrRank {
 public:
  /// What goes as one message.
  struct Part {
    int message;                 // of the text
    std::vector<double> values;  // of each piece, of one variable
    std::vector<int> slots;      // of each piece: whose ghosts, or whose cells
    [[nodiscard]] double sum() const;
  };

  AmrRank(const amr::Settings& settings, const AmrCosts& costs, const AmrMesh::Plans& plans,
          ProcessText& text, AmrAmounts& amounts);

  [[nodiscard]] int blocks() const { return plans_.transfers.leaves(); }
  /// Of a block, and values of one variable: of all its cells, and of the larger of its faces.
  [[nodiscard]] double cells() const { return cells_; }
  [[nodiscard]] double face() const { return face_; }
  [[nodiscard]] const amr::TransferPlan& transfers() const { return plans_.transfers; }
  [[nodiscard]] const std::vector<Part>& sends(int axis) const {
    return sends_[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] const std::vector<Part>& receives(int axis) const {
    return receives_[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] bool has_messages() const { return settings_.rank_count() > 1; }
  /// The part in a sum over all ranks.
  [[nodiscard]] int reduction() const { return reduction_; }

  /// ns of a piece of work on so many variables; what it does is added to the amounts.
  double stencil(int variables) { return work(AmrWork::kStencil, cells_ * variables); }
  double sums(int variables) { return work(AmrWork::kSums, cells_ * variables); }
  double work(AmrWork kind, double values);
  [[nodiscard]] double call() const { return costs_.call; }

  /// What stages differ in: whether there are sums, and where tasks have memory of their own for every second
  /// stage, of which generation its faces are, and for every second check, into which table its sums go.
  struct Stage {
    bool has_sums = false;
    int generation = 0;
    int table = 0;
  };

  /// A script that executes all timesteps. script: returns that of a stage. alternates: else generation and
  /// table are always 0.
  template <class ScriptOf>
  Script all_stages(bool alternates, ScriptOf&& script) {
    std::array<std::array<std::array<Script, 2>, 2>, 2> calls;
    const auto call = [&](const Stage& stage) {
      const int number = stage.has_sums ? 1 : 0;
      Script& kept = calls.at(number).at(stage.generation).at(stage.table);
      if (kept.empty()) kept = repeated(text_, 1, script(stage));
      counts_ = false;
      return kept.front();
    };
    const int frequency = settings_.checksum_freq;
    int stages = 0, checks = 0;
    const auto timesteps = [&](int count) {
      Script result;
      for (int n = 0; n < count * settings_.stages_per_ts; ++n, ++stages) {
        Stage stage{frequency != 0 && n % settings_.stages_per_ts % frequency == 0, 0, 0};
        if (alternates) stage.generation = stages % 2;
        if (alternates && stage.has_sums) stage.table = checks++ % 2;
        result.push_back(call(stage));
      }
      return result;
    };
    const int alike = alternates ? 2 : 1;  // timesteps
    Script result;
    if (const int times = settings_.num_tsteps / alike; times > 0)
      result = repeated(text_, times, timesteps(alike));
    const Script rest = timesteps(settings_.num_tsteps % alike);
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
  }

 private:
  std::vector<Part> parts_of(const std::vector<exchange::Message>& plan, int axis, bool are_sent);

  const amr::Settings& settings_;
  const AmrCosts& costs_;
  const AmrMesh::Plans& plans_;
  ProcessText& text_;
  AmrAmounts& amounts_;
  bool counts_ = true;
  double cells_, face_;
  std::array<std::vector<Part>, amr::kAxes> sends_, receives_;
  int reduction_ = -1;
};

/// The scripts of one rank, by variant.
void write_serial(AmrRank& rank, const amr::Settings& settings, ProcessText& text);
void write_loops(AmrRank& rank, const amr::Settings& settings, ProcessText& text);
void write_data_flow(AmrRank& rank, const amr::Settings& settings, ProcessText& text);

}  // namespace heddle::simulate
