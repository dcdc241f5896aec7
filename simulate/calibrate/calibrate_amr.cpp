// What a rank of heddle-amr does between its stages takes here, without messages: the pieces of a refinement.
// Prints them as JSON, in the words of simulate/generate/amr_costs.hpp: ns a value or ns a block, the least
// of several rounds. heddle calibrate runs it.
#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include <fmt/core.h>

#include "amr/field/contiguous.hpp"
#include "amr/refine/load_balance.hpp"
#include "amr/refine/migration.hpp"
#include "amr/refine/refinement.hpp"
#include "amr/refine/round_moves.hpp"
#include "exchange/message_plan.hpp"
#include "mesh/partition.hpp"

namespace {

using namespace heddle;
using namespace heddle::amr;

constexpr int kRounds = 7;
constexpr int kRoots = 8, kDeepest = 3;
constexpr int kPlenty = 1 << 30;  // of room for blocks
const Shape kShape{{12, 12, 12}, 40, false};
volatile std::size_t g_used = 0;  // so that nothing is left out

/// What `work` takes, the least of several rounds. Units: ns.
template <class Work>
double least_ns(Work&& work) {
  double least = std::numeric_limits<double>::max();
  for (int round = 0; round < kRounds; ++round) {
    const auto began = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
    least = std::min(least, took.count());
  }
  return least;
}

/// A family that is split and joined, several times over: more than the caches hold.
class Families {
 public:
  Families() {
    for (Family& family : families_) {
      family.parent = filled();
      for (int& child : family.children) child = filled();
    }
  }

  /// Units: ns for a value that is written.
  double split() {
    return least_ns([&] {
             for (const Family& family : families_)
               for (int c = 0; c < kChildren; ++c)
                 split_block(field_, family.parent, family.children[static_cast<std::size_t>(c)], c, 0);
           }) /
           (kFamilies * kChildren * values());
  }
  double join() {
    return least_ns([&] {
             for (const Family& family : families_) merge_blocks(field_, family.children, family.parent, 0);
           }) /
           (kFamilies * values());
  }
  /// Of packing and unpacking each as much as the other.
  double carry() {
    BlockCarrier carrier(field_, 0);
    std::vector<double> data(carrier.doubles());
    return least_ns([&] {
             for (const Family& family : families_) {
               carrier.pack(family.children.front(), data);
               carrier.unpack(family.children.back(), data);
             }
           }) /
           (2 * kFamilies * values());
  }

 private:
  static constexpr int kFamilies = 16;
  struct Family {
    int parent = 0;
    std::array<int, kChildren> children{};
  };

  static double values() { return static_cast<double>(kShape.interior_cells()) * kShape.num_vars; }

  int filled() {
    const int slot = field_.acquire();
    for (int v = 0; v < kShape.num_vars; ++v) {
      std::fill_n(field_.row(slot, v, 1, 1), kShape.interior_cells(), 1.0);
      for (const int generation : {0, 1}) field_.refresh_faces(slot, v, generation);
    }
    return slot;
  }

  ContiguousField field_{kShape, Halo::faces};
  std::array<Family, kFamilies> families_{};
};

/// What one rank does with a mesh around a sphere.
class MeshWork {
 public:
  MeshWork() : tree_(Geometry({kRoots, kRoots, kRoots}, kDeepest)) {
    for (int round = 0; round < kDeepest; ++round) tree_.apply(plan_of_all(0.3));
    plan_ = plan_of_all(0.31);
  }

  struct Costs {
    double of_own, of_all;  // ns for each of the rank's blocks, and for each of the mesh
  };
  Costs round() {
    return fitted([&](int rank) {
      const Part part(tree_, rank);
      const PlannedRound planned = plan_round(tree_, part, objects_, kRule);
      BlockTree changed = tree_;
      const RoundMoves round = plan_moves(changed, plan_, ranks_, kPlenty);
      changed.apply(plan_);
      g_used = g_used + planned.plan.splits.size() + round.moves.size();
    });
  }
  Costs plans() {
    return fitted([&](int rank) {
      const Part part(tree_, rank);
      exchange::BlockStore slots;
      for (int n = 0; n < part.own(); ++n) slots.put(part.leaf(n).number, n);
      const TransferPlan transfers(part, slots);
      const exchange::MessagePlan<kAxes, kRatio> messages(part, transfers);
    });
  }
  double bisection() {
    deal_out(kMany);
    const auto cuts = mesh::cuts_of<kAxes>({ranks_, 1, 1}, true);
    return least_ns([&] { g_used = g_used + mesh::bisect(tree_, cuts, {}, 1).size(); }) / tree_.size();
  }

 private:
  static constexpr int kFew = 8, kMany = 512;  // ranks
  static inline const MarkingRule kRule{false, false, {12, 12, 12}};

  RefinementPlan plan_of_all(double radius) {
    objects_ = {{.type = 2, .centre = {0.5, 0.5, 0.5}, .size = {radius, radius, radius}}};
    for (int n = 0; n < tree_.size(); ++n) tree_.set_owner(n, 0);
    return plan_round(tree_, Part(tree_, 0), objects_, kRule).plan;
  }

  void deal_out(int ranks) {
    ranks_ = ranks;
    tree_.set_owners(mesh::bisect(tree_, mesh::cuts_of<kAxes>({ranks, 1, 1}, true), {}));
  }

  /// From ranks with many blocks and ranks with few.
  template <class Work>
  Costs fitted(Work&& work) {
    const auto of_ranks = [&](int ranks) {
      deal_out(ranks);
      return least_ns([&] { work(ranks / 2); });
    };
    const double few = of_ranks(kFew), many = of_ranks(kMany);
    const double blocks = tree_.size();
    const double own = (few - many) / (blocks / kFew - blocks / kMany);
    return {own, std::max(0.0, (many - own * blocks / kMany) / blocks)};
  }

  BlockTree tree_;
  std::vector<Object> objects_;
  RefinementPlan plan_;
  int ranks_ = 1;
};

}  // namespace

int main() {
  Families families;
  MeshWork mesh;
  const MeshWork::Costs round = mesh.round();
  const nlohmann::json costs{{"split", families.split()},    {"join", families.join()},
                             {"carry", families.carry()},    {"marks", round.of_own},
                             {"keys", round.of_all},         {"plans", mesh.plans().of_own},
                             {"bisection", mesh.bisection()}};
  fmt::print("{}\n", costs.dump());
  return 0;
}
