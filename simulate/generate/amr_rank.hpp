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
  kExchange,
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
  [[nodiscard]] const amr::TransferPlan& transfers() const { return plans_.transfers; }
  [[nodiscard]] const std::vector<Part>& sends(int axis) const {
    return sends_[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] const std::vector<Part>& receives(int axis) const {
    return receives_[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] bool has_messages() const { return settings_.rank_count() > 1; }
  /// Of a block: its cells, and what it keeps of each face on either side.
  [[nodiscard]] double bytes_of_variable() const;
  /// The part in a sum over all ranks.
  [[nodiscard]] int reduction() const { return reduction_; }

  /// ns of a piece of work on so many variables; what it does is added to the amounts.
  double exchange(int block, int variables);
  double stencil(int variables) { return work(AmrWork::kStencil, cells_ * variables); }
  double sums(int variables) { return work(AmrWork::kSums, cells_ * variables); }
  double work(AmrWork kind, double values);
  [[nodiscard]] double call() const { return costs_.call; }

  /// A script that executes all timesteps. stage: returns that of a stage, with sums or without.
  template <class Stage>
  Script all_stages(Stage&& stage) {
    const int frequency = settings_.checksum_freq;
    Script timestep;
    if (frequency == 0) {
      timestep = repeated(settings_.stages_per_ts, stage(false));
    } else {
      const Script with_sums = stage(true);
      counts_ = false;
      const Script plain = stage(false);
      const auto period = [&](int stages) {
        Script result = with_sums;
        append(result, repeated(stages - 1, plain));
        return result;
      };
      timestep = repeated(settings_.stages_per_ts / frequency, period(frequency));
      if (const int rest = settings_.stages_per_ts % frequency; rest != 0) append(timestep, period(rest));
    }
    return repeated(settings_.num_tsteps, timestep);
  }
  static void append(Script& to, const Script& what) { to.insert(to.end(), what.begin(), what.end()); }
  static void add_work(Script& script, double ns);

 private:
  Script repeated(int count, const Script& script);
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
