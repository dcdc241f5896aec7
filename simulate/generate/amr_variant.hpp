// What a variant of heddle-amr executes on one rank, written down in the order of the run.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "amr/io/settings.hpp"
#include "amr/refine/block_work.hpp"
#include "amr/refine/migration.hpp"
#include "simulate/generate/amr_costs.hpp"
#include "simulate/generate/amr_rank.hpp"
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
  kValidation,
  kCopy,
  kBlockPack,
  kBlockUnpack,
  kBlockSend,
  kBlockReceive,
  kLeave,
  kMeeting,
  kWait,
  kExchange
};
inline const std::vector<std::string>& amr_kinds() {
  static const std::vector<std::string> kinds{"initial task",
                                              "pack",
                                              "unpack",
                                              "stencil",
                                              "sums",
                                              "send",
                                              "receive",
                                              "turn",
                                              "reduction",
                                              "validation",
                                              "copy",
                                              "pack a block",
                                              "unpack a block",
                                              "send a block",
                                              "receive a block",
                                              "leave a mesh",
                                              "collective call",
                                              "wait",
                                              "exchange"};
  return kinds;
}

class AmrVariant : public amr::BlockCopies {
 public:
  AmrVariant(const amr::Settings& settings, int rank, ProcessText& text, AmrMeter& meter)
      : settings_(settings), rank_(rank), text_(text), meter_(meter) {}

  /// All stages of so many timesteps on a mesh.
  virtual void timesteps(const AmrRank& on, int count) = 0;
  /// The mesh before the last refinement is left, this one is to be: what is in flight on it may stay so.
  virtual void leave_mesh(const AmrRank& from) = 0;
  /// As amr::BlockWork's. moves: from and to this rank.
  virtual void migrate(amr::BlockStore& slots, const amr::BlockTree& tree,
                       std::span<const amr::BlockMove> moves) = 0;
  /// The thread that goes through the mesh computes.
  void compute(double ns) { add_work(script_, ns); }
  /// That of every rank is in a collective call.
  virtual void meet() = 0;
  /// What was given of a refinement is done, or in flight.
  virtual void finish_refinement() = 0;
  /// What was written down so far is no part of the run.
  void begin_run() {
    text_ = {};
    script_.clear();
  }
  virtual void end_run() = 0;

 protected:
  [[nodiscard]] bool has_other_ranks() const { return settings_.rank_count() > 1; }
  /// Of a block, and values of one variable: of all its cells, and of the larger of its faces.
  [[nodiscard]] double cells() const { return static_cast<double>(settings_.shape().interior_cells()); }
  [[nodiscard]] double face() const { return cells() / std::ranges::min(settings_.cells); }
  [[nodiscard]] double values() const { return cells() * settings_.num_vars; }
  /// A split reads one block and a join its children. Units: ns.
  [[nodiscard]] double copy_ns(std::size_t reads) {
    return meter_.ns(reads == 1 ? AmrWork::kSplit : AmrWork::kJoin, values());
  }
  /// The number of a new message of the text.
  int message(MessageKind kind, int peer = 0, int channel = 0, double values = 0) {
    const auto bytes = static_cast<std::int64_t>(values * sizeof(double));
    text_.messages.push_back({kind, peer, channel, bytes});
    return static_cast<int>(text_.messages.size()) - 1;
  }

  const amr::Settings& settings_;
  const int rank_;
  ProcessText& text_;
  AmrMeter& meter_;
  Script script_;  // that is being written, of the run or of a part of it
};

/// What stages differ in: whether there are sums, and where tasks have memory of their own for every second
/// stage, of which generation its faces are, and for every second check, into which table its sums go.
struct AmrStage {
  bool has_sums = false;
  int generation = 0;
  int table = 0;
};

/// The stages of a run, in order. alternates: else generation and table are always 0.
class AmrStages {
 public:
  AmrStages(const amr::Settings& settings, bool alternates) : settings_(settings), alternates_(alternates) {}

  /// The script of so many timesteps on one mesh. script_of: returns that of a stage.
  template <class ScriptOf>
  Script timesteps(int count, ProcessText& text, AmrMeter& meter, ScriptOf&& script_of) {
    struct Kept {
      Script script;
      AmrAmounts before{}, after{};
    };
    std::array<std::array<std::array<Kept, 2>, 2>, 2> all;
    const auto call = [&](const AmrStage& stage) {
      Kept& kept = all.at(stage.has_sums ? 1 : 0).at(stage.generation).at(stage.table);
      if (kept.script.empty()) {
        kept.before = meter.amounts();
        kept.script = repeated(text, 1, script_of(stage));
        kept.after = meter.amounts();
      } else {
        meter.add_difference(kept.before, kept.after, 1);
      }
      return kept.script.front();
    };
    const auto written = [&](int some) {
      Script result;
      for (int n = 0; n < some * settings_.stages_per_ts; ++n, ++stages_) {
        const int of_timestep = n % settings_.stages_per_ts;
        AmrStage stage{settings_.checksum_freq != 0 && of_timestep % settings_.checksum_freq == 0, 0, 0};
        if (alternates_) stage.generation = stages_ % 2;
        if (alternates_ && stage.has_sums) stage.table = checks_++ % 2;
        result.push_back(call(stage));
      }
      return result;
    };
    const int alike = alternates_ ? 2 : 1;  // timesteps
    Script result;
    if (const int times = count / alike; times > 0) {
      const AmrAmounts before = meter.amounts();
      Script one = written(alike);
      meter.add_difference(before, meter.amounts(), times - 1);
      result = repeated(text, times, std::move(one));
    }
    const Script rest = written(count % alike);
    result.insert(result.end(), rest.begin(), rest.end());
    return result;
  }

 private:
  const amr::Settings& settings_;
  const bool alternates_;
  int stages_ = 0, checks_ = 0;
};

using AmrVariantMaker = std::unique_ptr<AmrVariant> (*)(const amr::Settings& settings, int rank, int threads,
                                                        ProcessText& text, AmrMeter& meter);
std::unique_ptr<AmrVariant> make_serial(const amr::Settings& settings, int rank, int threads,
                                        ProcessText& text, AmrMeter& meter);
std::unique_ptr<AmrVariant> make_loops(const amr::Settings& settings, int rank, int threads,
                                       ProcessText& text, AmrMeter& meter);
std::unique_ptr<AmrVariant> make_reference(const amr::Settings& settings, int rank, int threads,
                                           ProcessText& text, AmrMeter& meter);
std::unique_ptr<AmrVariant> make_data_flow(const amr::Settings& settings, int rank, int threads,
                                           ProcessText& text, AmrMeter& meter);

}  // namespace heddle::simulate
