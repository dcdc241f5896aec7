// What the pieces of an adaptive-mesh program's work take, fitted to a run of it.
#pragma once

#include <array>
#include <string>

namespace heddle::simulate {

/// Of stages: work on values (a cell's, of one variable); kPost: on those of messages;
/// kExchange: on those of ghosts that are filled within a rank, which the reference's program alone does.
/// Of refinements: on the values that splits (kSplit) and joins (kJoin) write, and on those of blocks that
/// are packed or unpacked for another rank (kCarry); on a rank's own blocks in each round (kMarks), and on
/// each new mesh (kPlans); on the blocks of the whole mesh, through which every rank goes, in each round
/// (kKeys), and in each balancing (kBisection).
enum class AmrWork {
  kPack,
  kUnpack,
  kPost,
  kExchange,
  kStencil,
  kSums,
  kSplit,
  kJoin,
  kCarry,
  kMarks,
  kPlans,
  kKeys,
  kBisection
};
/// As results and files of costs have them.
inline constexpr std::array kAmrWorkNames{"pack",  "unpack", "post",     "exchange", "stencil",
                                          "sums",  "split",  "join",     "carry",    "marks",
                                          "plans", "keys",   "bisection"};

/// By kind of work. Units: as above; or ns.
using AmrAmounts = std::array<double, kAmrWorkNames.size()>;

struct AmrCosts {
  AmrAmounts ns_a_piece{};
  double call = 0;  // ns, to start a send
};

/// Those of a file's object "amr", and of "messages" the start. exchanges: whether that of kExchange is
/// wanted. Errors: throws UserError where it cannot be read or a cost is missing.
AmrCosts read_amr_costs(const std::string& path, bool exchanges);

/// What pieces of work take, and how much of each there is in a run of all ranks.
class AmrMeter {
 public:
  explicit AmrMeter(const AmrCosts& costs) : costs_(costs) {}

  /// What so much of a piece of work takes, which is added up. Units: ns.
  double ns(AmrWork work, double amount) {
    const auto at = static_cast<std::size_t>(work);
    amounts_[at] += amount;
    return costs_.ns_a_piece[at] * amount;
  }
  [[nodiscard]] double call() const { return costs_.call; }

  [[nodiscard]] const AmrAmounts& amounts() const { return amounts_; }
  /// Adds what was added between two moments, so many times more.
  void add_difference(const AmrAmounts& before, const AmrAmounts& after, double times) {
    for (std::size_t i = 0; i < amounts_.size(); ++i) amounts_[i] += times * (after[i] - before[i]);
  }

 private:
  AmrCosts costs_;
  AmrAmounts amounts_{};
};

}  // namespace heddle::simulate
