// heddle-amr's serial and loop variants (amr/exec/loops.hpp, amr/halo/rank_exchange.hpp): one thread talks to
// other ranks, between the phases.
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "simulate/generate/amr_rank.hpp"

namespace heddle::simulate {
namespace {

// Pieces of work, each on a block; the i-th takes ns_of(i).
struct Pieces {
  AmrKind kind;
  std::vector<int> blocks;
  std::function<double(std::size_t)> ns_of;
};
// Adds to a script what is done of them.
using Phase = std::function<void(Script&, const Pieces&)>;

std::vector<int> vector_of(std::span<const int> blocks) {
  return {blocks.begin(), blocks.end()};
}

Script stage(AmrRank& rank, const amr::Settings& settings, bool with_sums, const Phase& phase) {
  const int variables = settings.num_vars;
  const auto stencil = [&](std::size_t) { return rank.stencil(variables); };
  Script script;
  std::vector<const AmrRank::Part*> receives, sends;
  for (int axis = 0; axis < amr::kAxes; ++axis) {
    for (const AmrRank::Part& part : rank.receives(axis)) {
      add_work(script, rank.work(AmrWork::kPost, part.sum() * variables));
      script.push_back({Op::kPost, part.message});
      receives.push_back(&part);
    }
  }
  for (int axis = 0; axis < amr::kAxes; ++axis) {
    std::vector<double> faces;
    Pieces packs{
        AmrKind::kPack, {}, [&](std::size_t i) { return rank.work(AmrWork::kPack, faces[i] * variables); }};
    for (const AmrRank::Part& part : rank.sends(axis)) {
      faces.insert(faces.end(), part.values.begin(), part.values.end());
      packs.blocks.insert(packs.blocks.end(), part.slots.begin(), part.slots.end());
      sends.push_back(&part);
    }
    phase(script, packs);
    for (const AmrRank::Part& part : rank.sends(axis)) {
      add_work(script, rank.call());
      script.push_back({Op::kPost, part.message});
    }
  }
  const exchange::LeavesByReach leaves = rank.transfers().by_reach();
  phase(script, {AmrKind::kStencil, vector_of(leaves.inner()), stencil});
  for (const AmrRank::Part* part : receives) {
    script.push_back({Op::kAwait, part->message});
    phase(script, {AmrKind::kUnpack, part->slots,
                   [&](std::size_t i) { return rank.work(AmrWork::kUnpack, part->values[i] * variables); }});
  }
  for (const AmrRank::Part* part : sends) script.push_back({Op::kAwait, part->message});
  phase(script, {AmrKind::kStencil, vector_of(leaves.border()), stencil});
  if (with_sums) {
    std::vector<int> all(static_cast<std::size_t>(rank.blocks()));
    std::iota(all.begin(), all.end(), 0);
    phase(script, {AmrKind::kSums, std::move(all), [&](std::size_t) { return rank.sums(variables); }});
    if (rank.has_messages()) {
      script.push_back({Op::kPost, rank.reduction()});
      script.push_back({Op::kAwait, rank.reduction()});
    }
  }
  return script;
}

}  // namespace

void write_serial(AmrRank& rank, const amr::Settings& settings, ProcessText& text) {
  const Phase in_turn = [](Script& script, const Pieces& pieces) {
    for (std::size_t i = 0; i < pieces.blocks.size(); ++i) add_work(script, pieces.ns_of(i));
  };
  text.main = rank.all_stages(
      false, [&](const AmrRank::Stage& at) { return stage(rank, settings, at.has_sums, in_turn); });
}

void write_loops(AmrRank& rank, const amr::Settings& settings, ProcessText& text) {
  const Phase shared = [&](Script& script, const Pieces& pieces) {
    if (pieces.blocks.empty()) return;
    LoopText loop{static_cast<std::int64_t>(pieces.blocks.size()), Schedule::kStatic, {}};
    loop.data.assign(pieces.blocks.begin(), pieces.blocks.end());
    for (std::size_t i = 0; i < pieces.blocks.size(); ++i)
      loop.parts.push_back(std::llround(pieces.ns_of(i)));
    const auto number = static_cast<std::int64_t>(text.loops.size());
    text.loops.push_back(std::move(loop));
    script.push_back({Op::kRegion, static_cast<std::int64_t>(text.regions.size())});
    text.regions.push_back(
        {static_cast<int>(pieces.kind), 1, false, {{Op::kLoop, number}, {Op::kBarrier, 0}}});
  };
  text.main = rank.all_stages(
      false, [&](const AmrRank::Stage& at) { return stage(rank, settings, at.has_sums, shared); });
}

}  // namespace heddle::simulate
