// The patches of one rank, where they lie in the mesh, and how both change.
//
// Words: to *adopt* a state of the tree is to make this rank's plans for it.
//
// Invariant: patch n is own leaf n of part() and lies in slot(n). Every rank has the same tree. Siblings of
// which all are leaves belong to one rank, so that it can join them.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "exchange/block_store.hpp"
#include "exchange/migration.hpp"
#include "exchange/share_marks.hpp"
#include "mesh/balance.hpp"
#include "mesh/partition.hpp"
#include "wave/exec/engine.hpp"
#include "wave/exec/lattice.hpp"
#include "wave/patch/face_states.hpp"
#include "wave/patch/inherit.hpp"
#include "wave/patch/layer_exchange.hpp"

namespace heddle::wave {

template <Equation E, int D, int R>
class PatchMesh {
 public:
  using Tree = mesh::BlockTree<D, R>;

  /// Of roots alone; what patches hold is anything. length: of the domain along axis 0. limiter: of the
  /// second order scheme: then patches have records.
  PatchMesh(const E& equation, const mesh::Geometry<D, R>& geometry, int volumes, double length,
            std::optional<Limiter> limiter, exchange::Communicator& ranks)
      : equation_(equation),
        ranks_(ranks),
        tree_(geometry),
        lattice_(geometry, volumes, length),
        limiter_(limiter),
        patches_(volumes, limiter ? size_of_records<E, D>(PatchShape<D>(volumes)) : 0) {
    take_leaves();
  }
  // The plans point at each other.
  PatchMesh(const PatchMesh&) = delete;
  PatchMesh& operator=(const PatchMesh&) = delete;

  [[nodiscard]] const Tree& tree() const { return tree_; }
  [[nodiscard]] const mesh::Part<D, R>& part() const { return part_; }
  [[nodiscard]] const exchange::TransferPlan<D, R>& transfers() const { return transfers_; }
  /// Of states, or of face states where patches have records.
  [[nodiscard]] LayerExchange<D, R>& layers(Sent::What what) {
    return what == Sent::What::states ? states_ : face_states_;
  }
  [[nodiscard]] const LayerExchange<D, R>& layers(Sent::What what) const {
    return what == Sent::What::states ? states_ : face_states_;
  }
  /// Where a slot has what is sent of it.
  [[nodiscard]] auto layer_of(Sent sent) const {
    return [this, sent](int slot, int face) {
      return sent.what == Sent::What::states
                 ? inner_layer<D>(patches_.shape(), patches_.values(slot, sent.copy), face)
                 : record_of<E, D>(patches_.shape(), patches_.records(slot), face);
    };
  }
  [[nodiscard]] Patches<E, D>& patches() { return patches_; }
  [[nodiscard]] const Patches<E, D>& patches() const { return patches_; }

  [[nodiscard]] double* values(int patch, int copy) { return patches_.values(transfers_.slot(patch), copy); }
  [[nodiscard]] const double* values(int patch, int copy) const {
    return patches_.values(transfers_.slot(patch), copy);
  }

  [[nodiscard]] double* records(int patch) { return patches_.records(transfers_.slot(patch)); }

  // -- Where they lie in space

  [[nodiscard]] const Lattice<D, R>& lattice() const { return lattice_; }
  /// Of a volume of this level, or of this patch.
  [[nodiscard]] double width_on(int level) const { return lattice_.width_on(level); }
  [[nodiscard]] double width(int patch) const { return width_on(part_.leaf(patch).id.level); }
  /// Of a volume; across: of the ghost beyond it, across that face.
  [[nodiscard]] Position<D> centre(int patch, const std::array<int, D>& volume, int across = -1) const {
    return lattice_.centre(part_.leaf(patch).id, volume, across);
  }

  /// Takes a mesh as it is written in keys; what patches hold is anything. Requires: keys are leaves of the
  /// geometry, the same on every rank.
  void replace(std::vector<mesh::Key> keys) {
    for (int patch = 0; patch < part_.own(); ++patch)
      patches_.give_back(store_.take(part_.leaf(patch).number));
    tree_ = Tree(tree_.geometry(), std::move(keys));
    take_leaves();
  }

  /// Collective. Refines and joins own patches as far as marks allow, and deals patches out to the ranks
  /// anew. marks: of all leaves of part(). copy: which holds the state; the other one is anything afterwards.
  /// Returns whether the mesh has changed.
  bool change(mesh::Marks marks, int copy) {
    mesh::balance(marks, part_, exchange::share_marks(part_, ranks_));
    const mesh::RefinementPlan mine = mesh::plan_refinement(marks, part_);
    const mesh::RefinementPlan whole = exchange::gather_plan(mine, ranks_);
    if (whole.is_empty()) return false;
    split(mine, copy);
    join(mine, copy);
    tree_.apply(whole);
    deal_out(copy);
    adopt();
    return true;
  }

 private:
  // An exchange::CarriesBlocks: the volumes of one copy, with the ghosts around them.
  class Carrier {
   public:
    Carrier(Patches<E, D>& patches, int copy) : patches_(patches), copy_(copy) {}
    [[nodiscard]] std::size_t doubles() const { return patches_.size(); }
    [[nodiscard]] int take() { return patches_.take(); }
    void give_back(int slot) { patches_.give_back(slot); }
    void pack(int slot, std::span<double> into) {
      std::copy_n(patches_.values(slot, copy_), doubles(), into.data());
    }
    void unpack(int slot, std::span<const double> from) {
      std::copy_n(from.data(), doubles(), patches_.values(slot, copy_));
    }

   private:
    Patches<E, D>& patches_;
    int copy_;
  };

  /// Of a tree of which no rank has any yet.
  void take_leaves() {
    const std::vector<int> owners = mesh::cut_between_families(tree_, ranks_.size());
    for (int n = 0; n < tree_.size(); ++n) {
      tree_.set_owner(n, owners[static_cast<std::size_t>(n)]);
      if (tree_.key(n).owner == ranks_.rank()) store_.put(tree_.leaf(n).number, patches_.take());
    }
    adopt();
  }

  void adopt() {
    part_ = mesh::Part<D, R>(tree_, ranks_.rank());
    transfers_ = exchange::TransferPlan<D, R>(part_, store_);
    states_ = LayerExchange<D, R>(part_, transfers_, patches_.shape(), E::kUnknowns);
    if (limiter_) face_states_ = LayerExchange<D, R>(part_, transfers_, patches_.shape(), kRecordValues<E>);
  }

  void split(const mesh::RefinementPlan& plan, int copy) {
    for (const int leaf : plan.splits) {
      const mesh::BlockId<D> id = tree_.id(leaf);
      const int slot = store_.take(tree_.geometry().number(id));
      std::array<double*, mesh::kChildren<D, R>> values{};
      for (int c = 0; c < mesh::kChildren<D, R>; ++c) {
        const int child = patches_.take();
        values[c] = patches_.values(child, copy);
        store_.put(tree_.geometry().number(mesh::child<R>(id, c)), child);
      }
      fill_children<E, D, R>(patches_, equation_, limiter_, patches_.values(slot, copy), values);
      patches_.give_back(slot);
    }
  }

  void join(const mesh::RefinementPlan& plan, int copy) {
    for (const int leaf : plan.merges) {
      const mesh::BlockId<D> id = mesh::parent<R>(tree_.id(leaf));
      std::array<int, mesh::kChildren<D, R>> slots{};
      std::array<const double*, mesh::kChildren<D, R>> values{};
      for (int c = 0; c < mesh::kChildren<D, R>; ++c) {
        slots[c] = store_.take(tree_.geometry().number(mesh::child<R>(id, c)));
        values[c] = patches_.values(slots[c], copy);
      }
      const int slot = patches_.take();
      fill_parent<E, D, R>(patches_, values, patches_.values(slot, copy));
      store_.put(tree_.geometry().number(id), slot);
      for (const int child : slots) patches_.give_back(child);
    }
  }

  void deal_out(int copy) {
    if (ranks_.size() == 1) return;
    const std::vector<int> owners = mesh::cut_between_families(tree_, ranks_.size());
    std::vector<exchange::BlockMove> moves;
    for (int n = 0; n < tree_.size(); ++n) {
      if (tree_.key(n).owner != owners[static_cast<std::size_t>(n)])
        moves.push_back({n, owners[static_cast<std::size_t>(n)]});
    }
    Carrier carrier(patches_, copy);
    exchange::migrate(carrier, store_, tree_, std::span<const exchange::BlockMove>(moves), ranks_,
                      [](int count, const auto& move) {
                        for (int n = 0; n < count; ++n) move(n);
                      });
    for (const exchange::BlockMove& move : moves) tree_.set_owner(move.leaf, move.to);
  }

  E equation_;
  exchange::Communicator& ranks_;
  Tree tree_;
  Lattice<D, R> lattice_;
  std::optional<Limiter> limiter_;
  Patches<E, D> patches_;
  exchange::BlockStore store_;
  mesh::Part<D, R> part_;
  exchange::TransferPlan<D, R> transfers_;
  LayerExchange<D, R> states_, face_states_;
};

}  // namespace heddle::wave
