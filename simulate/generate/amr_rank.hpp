// One rank of heddle-amr as it is written down: its plans, the sizes of its pieces of work, and its scripts.
#pragma once

#include <string>
#include <vector>

#include "amr/halo/pieces.hpp"
#include "amr/halo/rank_exchange.hpp"
#include "amr/io/settings.hpp"
#include "simulate/generate/amr_costs.hpp"
#include "simulate/generate/amr_mesh.hpp"
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
  /// Those that have a neighbour of another rank.
  [[nodiscard]] int border_blocks() const;
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

  /// A script that executes all timesteps. stage: returns that of a stage, with sums or without, and of a
  /// generation of faces (see amr/field/contiguous.hpp); of one alone where all stages are alike.
  template <class Stage>
  Script all_stages(int generations, Stage&& stage) {
    std::array<std::array<Script, 2>, 2> calls;  // [with sums][generation]
    const auto call = [&](bool with_sums, int generation) {
      Script& kept = calls[with_sums ? 1 : 0][static_cast<std::size_t>(generation)];
      if (kept.empty()) kept = repeated(1, stage(with_sums, generation));
      counts_ = false;
      return kept.front();
    };
    int generation = 0;
    const auto timesteps = [&](int count) {
      Script result;
      for (int n = 0; n < count * settings_.stages_per_ts; ++n, generation = (generation + 1) % generations) {
        const int frequency = settings_.checksum_freq;
        const bool with_sums = frequency != 0 && n % settings_.stages_per_ts % frequency == 0;
        result.push_back(call(with_sums, generation));
      }
      return result;
    };
    // So many timesteps later the generations are the same again.
    const int alike = settings_.stages_per_ts % generations == 0 ? 1 : generations;
    Script result;
    const int times = settings_.num_tsteps / alike;
    if (times > 0) result = repeated(times, timesteps(alike));
    const Script rest = timesteps(settings_.num_tsteps % alike);
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
  }
  static void add_work(Script& script, double ns);

 private:
  /// A script of one operation that executes another so many times.
  Script repeated(int count, Script script);
  std::vector<Part> parts_of(const std::vector<exchange::Message>& plan, int axis, bool are_sent);

  const amr::Settings& settings_;
  const AmrCosts& costs_;
  const AmrMesh::Plans& plans_;
  ProcessText& text_;
  AmrAmounts& amounts_;
  bool counts_ = true;
  double cells_;
  std::array<std::vector<Part>, amr::kAxes> sends_, receives_;
  int reduction_ = -1;
};

/// The scripts of one rank, by variant.
void write_serial(AmrRank& rank, const amr::Settings& settings, ProcessText& text);
void write_loops(AmrRank& rank, const amr::Settings& settings, ProcessText& text);
void write_data_flow(AmrRank& rank, const amr::Settings& settings, ProcessText& text);

}  // namespace heddle::simulate
