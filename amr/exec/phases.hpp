// The pieces of work that every variant runs, one block and a range of variables at a time. A variant only
// decides who runs which piece when.
//
// Words: a *piece* is exchange (one direction, or all three), stencil or sums, of one leaf. Where the field
// has faces there is no exchange within a rank: a stencil reads its neighbours' faces of its stage's
// generation, and writes the other of its own.
//
// Invariant: pieces of distinct leaves, or of distinct variables under the stencils 7 and 27, may run at the
// same time as long as
//  - with faces: stencil(b) runs after the stencils of the stage before of b and of its neighbours, and after
//  what other ranks send has been unpacked; messages are packed between b's stencils;
//  - exchange(b) runs after the neighbours' earlier stencils and, unless all_axes_at_once(), after the
//  neighbours' exchange of the axis before;
//  - stencil(b) runs after exchange(b) and after every neighbour has exchanged, that is, read b;
//  - sums(b) runs after stencil(b).
// Then every value is the same to the last bit, whoever runs what. Sums are kept per block and variable and
// reduced in a fixed order of blocks.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "amr/field/contiguous.hpp"
#include "amr/field/segregated.hpp"
#include "amr/halo/face_counts.hpp"
#include "amr/halo/rank_exchange.hpp"
#include "amr/io/settings.hpp"
#include "amr/kernel/block_sums.hpp"
#include "amr/kernel/stencil_7.hpp"
#include "amr/kernel/stencil_mixture.hpp"

namespace heddle::amr {

/// What stays when the mesh changes.
template <class Field>
struct Solver {
  Solver(const Settings& settings, Communicator& ranks);

  Field field;
  Communicator& ranks;
  int stencil;
  bool wants_moments;
  bool sums_are_exact;
  HaloRule rule;
  MixtureConstants constants;
  RankExchange<Field> messages;
  ClampCounts clamps;  // what the clamp of stencil 0 has done on this rank, on meshes that are gone
};

extern template struct Solver<ContiguousField>;
extern template struct Solver<SegregatedField>;

/// The pieces of work on one mesh. Another one has phases of its own; tasks of both may be in flight.
template <class Field>
class Phases {
 public:
  /// Of the rank's blocks in the store, for the stages from now on: the solver's exchange is between these.
  Phases(Solver<Field>& solver, const Geometry& geometry, const Part& part, const BlockStore& store);
  /// Requires: none of its pieces runs.
  ~Phases();
  Phases(const Phases&) = delete;
  Phases& operator=(const Phases&) = delete;

  Field& field;

  [[nodiscard]] int blocks() const { return plan_.leaves(); }
  [[nodiscard]] const TransferPlan& plan() const { return plan_; }
  [[nodiscard]] const std::array<FaceCounts, kAxes>& face_counts() const { return face_counts_; }
  [[nodiscard]] bool all_axes_at_once() const { return rule().axes_are_independent(); }
  /// Whether stencils read neighbours' faces; then there is nothing to exchange within a rank.
  [[nodiscard]] bool has_faces() const { return field.has_faces(); }
  [[nodiscard]] const exchange::LeavesByReach& leaves() const { return leaves_; }
  /// Of faces: what a stage's stencils and messages read.
  [[nodiscard]] static int generation_of(long long global_stage) {
    return static_cast<int>(global_stage & 1);
  }
  /// Stencil 0: a variable's update reads other variables, so ranges of variables are not independent.
  [[nodiscard]] bool variables_couple() const { return solver_.stencil == 0; }

  /// Whether other ranks have blocks: then ghosts come in messages, too.
  [[nodiscard]] bool has_other_ranks() const { return ranks().size() > 1; }
  /// What other ranks need of these axes is on its way when this returns, and what they have is unpacked when
  /// finish_messages() does: before() the stencils, and after all earlier ones. for_each(n, body): see
  /// RankExchange. Threads: that which MPI was initialised on.
  template <class Axes, class ForEach>
  void begin_messages(const Axes& axes, int first, int last, long long global_stage, ForEach&& for_each) {
    messages().begin(axes, first, last, generation_of(global_stage), for_each);
  }
  template <class ForEach>
  void finish_messages(ForEach&& for_each) {
    messages().finish(for_each);
  }
  [[nodiscard]] const RankExchange<Field>& messages() const { return solver_.messages; }
  [[nodiscard]] RankExchange<Field>& messages() { return solver_.messages; }
  [[nodiscard]] const typename RankExchange<Field>::Plan& message_plan() const { return message_plan_; }
  [[nodiscard]] const HaloRule& rule() const { return solver_.rule; }
  [[nodiscard]] Communicator& ranks() const { return solver_.ranks; }

  /// Requires, like exchange_all_axes(): not has_faces().
  void exchange(int leaf, int axis, int first, int last);
  void exchange_all_axes(int leaf, int first, int last);
  void stencil(int leaf, int first, int last, long long global_stage);
  /// stencil() and, of each variable while it is in the cache, sums() into the first table.
  void stencil_and_sums(int leaf, int first, int last, long long global_stage);
  /// Of two tables the sums go to one: those of a check may be there still while the next one's come.
  void sums(int leaf, int first, int last, int table = 0);

  /// An address that stands, in dependences, for a variable's sums of a block.
  [[nodiscard]] BlockSums* sums_sentinel(int leaf, int v, int table) {
    return &sums_[static_cast<std::size_t>(table)]
                 [static_cast<std::size_t>(leaf) * field.shape().num_vars + v];
  }
  /// The sums of the variables first..last-1 over all blocks of all ranks: exact and rounded once, or with
  /// one rank's reference values in the reference's order of blocks. Collective. Requires: sums() ran for
  /// them on every leaf.
  [[nodiscard]] std::vector<BlockSums> totals(int first, int last, int table = 0) const;
  /// The same in steps, where sums are exact, as with several ranks: this rank's part, to be added up over
  /// the ranks word by word; and what the words mean then.
  [[nodiscard]] std::vector<std::int64_t> sum_words(int first, int last, int table = 0) const;
  [[nodiscard]] std::vector<BlockSums> totals_of(std::span<const std::int64_t> words, int first,
                                                 int last) const;
  /// What the clamp of stencil 0 has done on this rank, on this mesh. Requires: no stencil runs.
  [[nodiscard]] ClampCounts clamp_counts() const;

 private:
  template <class AfterEach>
  void update(int leaf, int first, int last, long long global_stage, AfterEach&& after_each);
  void sum(int leaf, int v, int table);
  void hold_remote_planes();
  [[nodiscard]] Surroundings around(int leaf, int v, long long global_stage);
  [[nodiscard]] BlockSums total_in_order(int v, int table) const;
  [[nodiscard]] const BlockSums& sums_of(int leaf, int v, int table) const {
    return sums_[static_cast<std::size_t>(table)]
                [static_cast<std::size_t>(leaf) * field.shape().num_vars + v];
  }

  Solver<Field>& solver_;
  TransferPlan plan_;
  typename RankExchange<Field>::Plan message_plan_;
  exchange::LeavesByReach leaves_;
  std::array<FaceCounts, kAxes> face_counts_{};
  std::vector<Extent> extents_;
  std::array<std::vector<BlockSums>, 2> sums_;  // [table][leaf][variable]
  std::vector<int> summing_order_;              // leaves, as the reference goes through them
  std::vector<ClampCounts> clamps_;             // [leaf]
};

extern template class Phases<ContiguousField>;
extern template class Phases<SegregatedField>;

}  // namespace heddle::amr
