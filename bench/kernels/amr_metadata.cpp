// What a rank of many does with the mesh alone, without fields and messages: one process plays the ranks in
// turn.
//
//   amr_metadata [--benchmark_filter=…] [--benchmark_out=FILE.json --benchmark_out_format=json]
//
// Arguments of a case: the deepest level of a sphere's surface in 8^3 roots (4: 64 thousand leaves, 5: 256
// thousand, 6: 1 million, 7: 4 million) and the number of ranks. An iteration is one rank's; the next
// one's is the next rank's. What other ranks would say comes from a solution of the whole mesh, made before.
#include <benchmark/benchmark.h>

#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "amr/refine/refinement.hpp"
#include "amr/refine/round_moves.hpp"
#include "mesh/partition.hpp"

namespace {

using namespace heddle;
using namespace heddle::amr;

constexpr int kRoots = 8;
constexpr double kRadius = 0.277;
constexpr int kPlenty = 1 << 30;  // of room for blocks
const MarkingRule kRule{false, false, {16, 16, 16}};

Object sphere(double radius) {
  Object object;
  object.type = 2;
  object.centre = {0.5, 0.5, 0.5};
  object.size = {radius, radius, radius};
  return object;
}

std::vector<mesh::Cut> cuts(int ranks) {
  std::array<int, kAxes> grid{1, 1, 1};
  for (int d = 0; ranks > 1; d = (d + 1) % kAxes, ranks /= 2) grid[d] *= 2;
  return mesh::cuts_of<kAxes>(grid, true);
}

/// A mesh as one rank's, and its next round.
class Whole {
 public:
  explicit Whole(BlockTree tree) : tree_(std::move(tree)) {
    for (int n = 0; n < tree_.size(); ++n) tree_.set_owner(n, 0);
    part_ = Part(tree_, 0);
  }
  /// By leaf index.
  [[nodiscard]] Marks marks(const std::vector<Object>& objects) const {
    Marks marks = mark_leaves(part_, tree_.geometry(), objects, kRule);
    mesh::balance(marks, part_);
    return marks;
  }
  [[nodiscard]] RefinementPlan plan(const std::vector<Object>& objects) const {
    return plan_round(tree_, part_, objects, kRule).plan;
  }

 private:
  BlockTree tree_;
  Part part_;
};

/// A mesh, partitioned, and its next round: the sphere has grown a little.
struct Scene {
  Scene(int level, int ranks) : tree(Geometry({kRoots, kRoots, kRoots}, level)) {
    const std::vector<Object> before{sphere(kRadius)};
    for (int round = 0; round < level; ++round) tree.apply(Whole(tree).plan(before));
    const std::vector<int> owners = mesh::bisect(tree, cuts(ranks), {});
    tree.set_owners(owners);
    objects = {sphere(kRadius + 0.005 / (1 << level))};
    const Whole whole(tree);
    marks = whole.marks(objects);
    plan = whole.plan(objects);
  }
  BlockTree tree;
  std::vector<Object> objects;
  Marks marks;
  RefinementPlan plan;
};

const Scene& scene(benchmark::State& state) {
  static std::map<std::pair<int, int>, std::unique_ptr<Scene>> made;
  const auto key = std::pair(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
  if (!made.contains(key)) {
    made.clear();  // one at a time: the largest takes a gigabyte while it is made
    made.emplace(key, std::make_unique<Scene>(key.first, key.second));
  }
  const Scene& found = *made.at(key);
  const auto changed = found.plan.splits.size() + found.plan.merges.size() * kChildren;
  state.counters["leaves"] = found.tree.size();
  state.counters["bytes_a_leaf"] = sizeof(mesh::Key);
  state.counters["changed"] = static_cast<double>(changed) / found.tree.size();
  return found;
}

/// A rank's part of the mesh: own leaves, neighbours, families, partners.
void make_part(benchmark::State& state) {
  const Scene& s = scene(state);
  int rank = 0;
  for (auto _ : state)
    benchmark::DoNotOptimize(Part(s.tree, rank++ % static_cast<int>(state.range(1))).size());
}

/// Marks of a rank's leaves, and what keeps the mesh balanced.
void mark(benchmark::State& state) {
  const Scene& s = scene(state);
  int rank = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const Part part(s.tree, rank++ % static_cast<int>(state.range(1)));
    bool is_told = false;
    const auto share = [&](Marks& marks, bool /*has_raised*/) {
      for (int n = part.own(); n < part.size(); ++n)
        marks[static_cast<std::size_t>(n)] = s.marks[static_cast<std::size_t>(part.leaf_index(n))];
      return !std::exchange(is_told, true);
    };
    state.ResumeTiming();
    const PlannedRound round = plan_round(s.tree, part, s.objects, kRule, share);
    benchmark::DoNotOptimize(round.plan.splits.size());
  }
}

/// What every rank does with the whole array once all plans are there: who moves, and the array afterwards.
void change_keys(benchmark::State& state) {
  const Scene& s = scene(state);
  for (auto _ : state) {
    state.PauseTiming();
    BlockTree tree = s.tree;
    state.ResumeTiming();
    const RoundMoves round = plan_moves(tree, s.plan, static_cast<int>(state.range(1)), kPlenty);
    for (const BlockMove& move : round.moves) tree.set_owner(move.leaf, move.to);
    tree.apply(s.plan);
    benchmark::DoNotOptimize(tree.size());
  }
}

/// A rank finds its own leaves; the others' come in one message from each.
void bisect(benchmark::State& state) {
  const Scene& s = scene(state);
  const int ranks = static_cast<int>(state.range(1));
  int rank = 0;
  for (auto _ : state) benchmark::DoNotOptimize(mesh::bisect(s.tree, cuts(ranks), {}, rank++ % ranks).data());
}

void cut_morton(benchmark::State& state) {
  const Scene& s = scene(state);
  const auto wanted = cuts(static_cast<int>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(mesh::cut_curve(mesh::places_of(s.tree), wanted, 1).data());
}

void cases(benchmark::internal::Benchmark* benchmark) {
  benchmark->Unit(benchmark::kMillisecond)->ArgNames({"level", "ranks"});
  for (const int level : {4, 5, 6, 7}) benchmark->Args({level, 1024});
  for (const int ranks : {16, 64, 256, 4096}) benchmark->Args({7, ranks});
}

BENCHMARK(make_part)->Apply(cases);
BENCHMARK(mark)->Apply(cases);
BENCHMARK(change_keys)->Apply(cases);
BENCHMARK(bisect)->Apply(cases);
BENCHMARK(cut_morton)->Apply(cases);

}  // namespace

BENCHMARK_MAIN();
