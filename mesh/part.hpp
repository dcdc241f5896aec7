// What one rank works with: its own leaves, and those of other ranks that touch them.
//
// Words: a rank's *own* leaves are those whose keys name it. A leaf of another rank *touches* an own one if
// they share a face, or a parent. A *local index* names a leaf of the part: 0..own()-1 the own ones in leaf
// order, then the touching ones in leaf order. A *partner* is a rank that has touching leaves. A *family* is
// the children of one interior block, of which at least one is own.
//
// Invariant: a part belongs to one state of the tree. Touching is mutual: what one rank finds of its partner,
// the partner finds of it, in the same order.
#pragma once

#include <array>
#include <vector>

#include "mesh/neighbours.hpp"

namespace heddle::mesh {

template <int D, int R>
struct Family {
  std::array<int, kChildren<D, R>> child{};  // along the curve: local index, or BlockTree::kInterior
  bool all_leaves = true;
};

struct Partner {
  int rank = 0;
  std::vector<int> theirs;  // local indices, in leaf order
  std::vector<int> mine;    // own leaves that touch one of these, in leaf order
};

template <int D, int R>
class Part {
 public:
  Part() = default;
  Part(const BlockTree<D, R>& tree, int rank);

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int own() const { return own_; }
  /// With the touching ones.
  [[nodiscard]] int size() const { return static_cast<int>(leaves_.size()); }
  [[nodiscard]] bool is_own(int local) const { return local < own_; }

  [[nodiscard]] const Leaf<D>& leaf(int local) const { return leaves_[static_cast<std::size_t>(local)]; }
  [[nodiscard]] int leaf_index(int local) const { return indices_[static_cast<std::size_t>(local)]; }
  [[nodiscard]] int owner(int local) const { return owners_[static_cast<std::size_t>(local)]; }

  /// Local indices. Requires: is_own(local).
  [[nodiscard]] const BlockFaces<D, R>& faces(int local) const {
    return faces_[static_cast<std::size_t>(local)];
  }
  [[nodiscard]] const std::vector<Family<D, R>>& families() const { return families_; }
  /// Of which family a leaf is; -1: of none that is listed.
  [[nodiscard]] int family_of(int local) const { return family_of_[static_cast<std::size_t>(local)]; }

  /// In the order of their ranks.
  [[nodiscard]] const std::vector<Partner>& partners() const { return partners_; }

 private:
  void add_families(const BlockTree<D, R>& tree);
  void name_locally(const BlockTree<D, R>& tree);
  void find_partners();

  int rank_ = 0;
  int own_ = 0;
  std::vector<int> indices_;  // leaf index, by local index
  std::vector<int> owners_;
  std::vector<Leaf<D>> leaves_;
  std::vector<BlockFaces<D, R>> faces_;
  std::vector<Family<D, R>> families_;
  std::vector<int> family_of_;
  std::vector<Partner> partners_;
};

extern template class Part<2, 2>;
extern template class Part<2, 3>;
extern template class Part<3, 2>;
extern template class Part<3, 3>;

}  // namespace heddle::mesh
