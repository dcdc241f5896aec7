// heddle-amr's serial and loop variants (amr/exec/loops.hpp, amr/halo/rank_exchange.hpp): one thread talks to
// other ranks, between the phases.
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "simulate/generate/amr_rank.hpp"

namespace heddle::simulate {
namespace {

// Adds to a script what is done of n pieces, of which the i-th takes ns_of(i).
using Phase = std::function<void(Script&, AmrKind, int, const std::function<double(int)>&)>;

Script stage(AmrRank& rank, const amr::Settings& settings, bool with_sums, const Phase& phase) {
  const int variables = settings.num_vars;
  const auto stencil = [&](int) { return rank.stencil(variables); };
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
    for (const AmrRank::Part& part : rank.sends(axis)) {
      faces.insert(faces.end(), part.values.begin(), part.values.end());
      sends.push_back(&part);
    }
    phase(script, AmrKind::kPack, static_cast<int>(faces.size()),
          [&](int i) { return rank.work(AmrWork::kPack, faces[static_cast<std::size_t>(i)] * variables); });
    for (const AmrRank::Part& part : rank.sends(axis)) {
      add_work(script, rank.call());
      script.push_back({Op::kPost, part.message});
    }
  }
  const exchange::LeavesByReach leaves = rank.transfers().by_reach();
  phase(script, AmrKind::kStencil, static_cast<int>(leaves.inner().size()), stencil);
  for (const AmrRank::Part* part : receives) {
    script.push_back({Op::kAwait, part->message});
    phase(script, AmrKind::kUnpack, static_cast<int>(part->values.size()), [&](int i) {
      return rank.work(AmrWork::kUnpack, part->values[static_cast<std::size_t>(i)] * variables);
    });
  }
  for (const AmrRank::Part* part : sends) script.push_back({Op::kAwait, part->message});
  phase(script, AmrKind::kStencil, static_cast<int>(leaves.border().size()), stencil);
  if (with_sums) {
    phase(script, AmrKind::kSums, rank.blocks(), [&](int) { return rank.sums(variables); });
    if (rank.has_messages()) {
      script.push_back({Op::kPost, rank.reduction()});
      script.push_back({Op::kAwait, rank.reduction()});
    }
  }
  return script;
}

}  // namespace

void write_serial(AmrRank& rank, const amr::Settings& settings, ProcessText& text) {
  const Phase in_turn = [](Script& script, AmrKind, int count, const std::function<double(int)>& ns_of) {
    for (int i = 0; i < count; ++i) add_work(script, ns_of(i));
  };
  text.main = rank.all_stages(
      false, [&](const AmrRank::Stage& at) { return stage(rank, settings, at.has_sums, in_turn); });
}

void write_loops(AmrRank& rank, const amr::Settings& settings, ProcessText& text) {
  const Phase shared = [&](Script& script, AmrKind kind, int count, const std::function<double(int)>& ns_of) {
    if (count == 0) return;
    LoopText loop{count, Schedule::kStatic, {}};
    for (int i = 0; i < count; ++i) loop.parts.push_back(std::llround(ns_of(i)));
    const auto number = static_cast<std::int64_t>(text.loops.size());
    text.loops.push_back(std::move(loop));
    script.push_back({Op::kRegion, static_cast<std::int64_t>(text.regions.size())});
    text.regions.push_back({static_cast<int>(kind), 1, false, {{Op::kLoop, number}, {Op::kBarrier, 0}}});
  };
  text.main = rank.all_stages(
      false, [&](const AmrRank::Stage& at) { return stage(rank, settings, at.has_sums, shared); });
}

}  // namespace heddle::simulate
