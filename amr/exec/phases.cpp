#include "amr/exec/phases.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "amr/halo/around.hpp"
#include "amr/kernel/stencil_27.hpp"
#include "amr/kernel/stencil_7.hpp"
#include "amr/kernel/stencil_7_rows.hpp"
#include "exchange/exact_sum.hpp"
#include "program/range.hpp"

namespace heddle::amr {
namespace {

constexpr std::array<double BlockSums::*, 3> kSums{&BlockSums::sum, &BlockSums::sumsq, &BlockSums::moment};

Workspace& workspace() {
  thread_local Workspace mine;
  return mine;
}

/// Calls run with the row length as a compile-time constant where it is a common one, else 0.
template <class Run>
void with_row_length(int nz, Run&& run) {
  switch (nz) {
    case 8:
      run(std::integral_constant<int, 8>{});
      break;
    case 10:
      run(std::integral_constant<int, 10>{});
      break;
    case 16:
      run(std::integral_constant<int, 16>{});
      break;
    default:
      run(std::integral_constant<int, 0>{});
      break;
  }
}

/// The fastest kernel there is for the layout and the row length.
template <int kNz, class Field>
void run_stencil_7(Field& field, int slot, int v, const Surroundings& around,
                   [[maybe_unused]] std::span<const double> next, Workspace& mine) {
  if constexpr (std::is_same_v<Field, ContiguousField> && kNz > 0 && kNz % 8 == 0)
    stencil_7_rows<kNz / 8>(field, slot, v, around, mine);
  else
    stencil_7<kNz>(field, slot, v, around, next, mine);
}

HaloRule rule_of(const Settings& settings) {
  return {settings.code, settings.stencil != 7};
}

}  // namespace

template <class Field>
Solver<Field>::Solver(const Settings& settings, Communicator& ranks)
    : field(settings.shape(), rule_of(settings).axes_are_independent() ? settings.halo : Halo::ghosts),
      ranks(ranks),
      stencil(settings.stencil),
      wants_moments(!settings.results.empty()),
      sums_are_exact(ranks.size() > 1 || settings.initial_values == InitialValues::block),
      rule(rule_of(settings)),
      messages(field, ranks, rule, {settings.send_faces, settings.max_comm_tasks, settings.blocking_send}) {}

template <class Field>
Phases<Field>::Phases(Solver<Field>& solver, const Geometry& geometry, const Part& part,
                      const BlockStore& store)
    : field(solver.field),
      solver_(solver),
      plan_(part, store),
      message_plan_(part, plan_),
      leaves_(plan_.by_reach()),
      face_counts_(count_faces(plan_)) {
  messages().adopt(message_plan_);
  if (has_faces()) hold_remote_planes();
  const auto leaves = static_cast<std::size_t>(part.own());
  for (int n = 0; n < part.own(); ++n) extents_.push_back(geometry.extent(part.leaf(n).id));
  for (auto& table : sums_) table.resize(leaves * field.shape().num_vars);
  clamps_.resize(leaves);
  summing_order_.resize(leaves);
  std::iota(summing_order_.begin(), summing_order_.end(), 0);
  std::sort(summing_order_.begin(), summing_order_.end(),
            [&](int a, int b) { return comes_first_in_reference(part.leaf(a), part.leaf(b)); });
}

template <class Field>
Phases<Field>::~Phases() {
  const ClampCounts mine = clamp_counts();
  solver_.clamps.above += mine.above;
  solver_.clamps.below += mine.below;
}

template <class Field>
void Phases<Field>::hold_remote_planes() {
  std::vector<std::array<int, 2>> remote;  // slots and faces
  for (int leaf = 0; leaf < blocks(); ++leaf) {
    for (int face = 0; face < kFaces; ++face) {
      if (exchange::any_is_remote(plan_.into_face(leaf, face))) remote.push_back({plan_.slot(leaf), face});
    }
  }
  field.hold_planes(remote);
}

template <class Field>
void Phases<Field>::exchange(int leaf, int axis, int first, int last) {
  const program::Range range("exchange");
  fill_ghosts(field, plan_, leaf, axis, first, last, rule(), halo_scratch(field.shape()));
}

template <class Field>
void Phases<Field>::exchange_all_axes(int leaf, int first, int last) {
  const program::Range range("exchange");
  const HaloScratch scratch = halo_scratch(field.shape());
  for (int v = first; v < last; ++v) {
    for (int axis = 0; axis < kAxes; ++axis)
      fill_ghosts(field, plan_, leaf, axis, v, v + 1, rule(), scratch, v + 1 < last);
  }
}

template <class Field>
Surroundings Phases<Field>::around(int leaf, int v, long long global_stage) {
  if constexpr (std::is_same_v<Field, ContiguousField>) {
    if (has_faces()) {
      const int generation = generation_of(global_stage);
      return {Around(field, plan_, generation).planes(leaf, v), 1 - generation};
    }
  }
  return {field.ghost_planes(plan_.slot(leaf), v), 0};
}

template <class Field>
template <class AfterEach>
void Phases<Field>::update(int leaf, int first, int last, long long global_stage, AfterEach&& after_each) {
  const int slot = plan_.slot(leaf);
  if (solver_.stencil == 0) {
    const ClampCounts c =
        stencil_mixture(field, slot, first, last, global_stage, solver_.constants, workspace());
    clamps_[leaf].above += c.above;
    clamps_[leaf].below += c.below;
    for (int v = first; v < last; ++v) after_each(v);
    return;
  }
  with_row_length(field.shape().nz(), [&](auto nz) {
    Workspace& mine = workspace();
    for (int v = first; v < last; ++v) {
      if (solver_.stencil == 7) {
        // Loops go on with the same variables of the next leaf; tasks often do.
        const bool is_last = v + 1 == last;
        const int next_slot = is_last ? plan_.slot(std::min(leaf + 1, blocks() - 1)) : slot;
        const auto next = field.hot_part(next_slot, is_last ? first : v + 1);
        run_stencil_7<nz()>(field, slot, v, around(leaf, v, global_stage), next, mine);
      } else {
        stencil_27<nz()>(field, slot, v, mine);
      }
      after_each(v);
    }
  });
}

template <class Field>
void Phases<Field>::stencil(int leaf, int first, int last, long long global_stage) {
  const program::Range range("stencil");
  update(leaf, first, last, global_stage, [](int /*v*/) {});
}

template <class Field>
void Phases<Field>::stencil_and_sums(int leaf, int first, int last, long long global_stage) {
  const program::Range range("stencil");
  update(leaf, first, last, global_stage, [&](int v) { sum(leaf, v, 0); });
}

template <class Field>
void Phases<Field>::sums(int leaf, int first, int last, int table) {
  const program::Range range("sums");
  for (int v = first; v < last; ++v) sum(leaf, v, table);
}

template <class Field>
void Phases<Field>::sum(int leaf, int v, int table) {
  const int slot = plan_.slot(leaf);
  BlockSums& mine =
      sums_[static_cast<std::size_t>(table)][static_cast<std::size_t>(leaf) * field.shape().num_vars + v];
  if (solver_.wants_moments) {
    mine = block_sums(field, slot, v, extents_[leaf]);
  } else {
    mine.sum = block_sum(field, slot, v);
  }
}

template <class Field>
BlockSums Phases<Field>::total_in_order(int v, int table) const {
  BlockSums total;
  for (const int leaf : summing_order_) {
    const BlockSums& of_block = sums_of(leaf, v, table);
    total.sum += of_block.sum;
    total.sumsq += of_block.sumsq;
    total.moment += of_block.moment;
  }
  return total;
}

template <class Field>
std::vector<BlockSums> Phases<Field>::totals(int first, int last, int table) const {
  if (!solver_.sums_are_exact) {
    std::vector<BlockSums> totals;
    for (int v = first; v < last; ++v) totals.push_back(total_in_order(v, table));
    return totals;
  }
  std::vector<std::int64_t> words = sum_words(first, last, table);
  ranks().reduce(words, exchange::Reduction::sum);
  return totals_of(words, first, last);
}

template <class Field>
std::vector<std::int64_t> Phases<Field>::sum_words(int first, int last, int table) const {
  const std::size_t sums = solver_.wants_moments ? kSums.size() : 1;
  std::vector<exchange::ExactSum> exact(sums * static_cast<std::size_t>(last - first));
  for (int leaf = 0; leaf < blocks(); ++leaf) {
    auto next = exact.begin();
    for (int v = first; v < last; ++v) {
      for (std::size_t s = 0; s < sums; ++s) (next++)->add(sums_of(leaf, v, table).*kSums[s]);
    }
  }
  std::vector<std::int64_t> words;
  for (const exchange::ExactSum& sum : exact)
    words.insert(words.end(), sum.words().begin(), sum.words().end());
  return words;
}

template <class Field>
std::vector<BlockSums> Phases<Field>::totals_of(std::span<const std::int64_t> words, int first,
                                                int last) const {
  const std::size_t sums = solver_.wants_moments ? kSums.size() : 1;
  std::vector<BlockSums> totals;
  auto word = words.begin();
  for (int v = first; v < last; ++v) {
    BlockSums& total = totals.emplace_back();
    for (std::size_t s = 0; s < sums; ++s) {
      exchange::ExactSum sum;
      std::copy_n(word, exchange::ExactSum::kWords, sum.words().begin());
      word += exchange::ExactSum::kWords;
      total.*kSums[s] = sum.value();
    }
  }
  return totals;
}

template <class Field>
ClampCounts Phases<Field>::clamp_counts() const {
  ClampCounts total;
  for (const ClampCounts& c : clamps_) {
    total.above += c.above;
    total.below += c.below;
  }
  return total;
}

template struct Solver<ContiguousField>;
template struct Solver<SegregatedField>;
template class Phases<ContiguousField>;
template class Phases<SegregatedField>;

}  // namespace heddle::amr
