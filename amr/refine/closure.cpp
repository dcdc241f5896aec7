#include "amr/refine/closure.hpp"

namespace heddle::amr {
namespace {

class Closure {
 public:
  Closure(Marks& marks, std::span<const BlockFaces> faces, const Families& families)
      : marks_(marks), faces_(faces), families_(families) {}

  /// A block that refines holds its own level and pulls coarser neighbours along; one next to finer blocks
  /// stays.
  bool refining_step(int leaf) {
    bool has_changed = false;
    if (marks_[leaf] == Mark::refine) {
      has_changed |= freeze(marks_, families_, leaf);
      for (const Face& face : faces_[leaf]) {
        if (face.kind == FaceKind::same && marks_[face.leaf[0]] == Mark::coarsen) {
          marks_[face.leaf[0]] = Mark::stay;
          freeze(marks_, families_, face.leaf[0]);
          has_changed = true;
        } else if (face.kind == FaceKind::coarser && marks_[face.leaf[0]] != Mark::refine) {
          marks_[face.leaf[0]] = Mark::refine;
          has_changed = true;
        }
      }
    } else if (marks_[leaf] == Mark::coarsen) {
      for (const Face& face : faces_[leaf]) {
        if (face.kind != FaceKind::finer) continue;
        marks_[leaf] = Mark::stay;
        freeze(marks_, families_, leaf);
        has_changed = true;
        break;
      }
    }
    return has_changed;
  }

  /// A block that stays keeps coarser neighbours from coarsening.
  bool staying_step(int leaf) {
    bool has_changed = false;
    if (marks_[leaf] != Mark::stay) return false;
    for (const Face& face : faces_[leaf]) {
      if (face.kind == FaceKind::coarser && marks_[face.leaf[0]] == Mark::coarsen) {
        marks_[face.leaf[0]] = Mark::stay;
        freeze(marks_, families_, face.leaf[0]);
        has_changed = true;
      }
    }
    return has_changed;
  }

 private:
  Marks& marks_;
  std::span<const BlockFaces> faces_;
  const Families& families_;
};

}  // namespace

void constrain(Marks& marks, const BlockTree& tree, std::span<const BlockFaces> faces,
               const Families& families) {
  Closure closure(marks, faces, families);
  const auto& leaves = tree.leaves();
  int end = tree.size();
  for (int level = tree.deepest_level(); level >= 0; --level) {
    int begin = end;  // leaf order: the leaves of one level are consecutive
    while (begin > 0 && leaves[static_cast<std::size_t>(begin) - 1].id.level == level) --begin;
    bool has_changed = true;
    while (has_changed) {
      has_changed = false;
      for (int leaf = begin; leaf < end; ++leaf) has_changed |= closure.refining_step(leaf);
    }
    has_changed = true;
    while (has_changed) {
      has_changed = false;
      for (int leaf = begin; leaf < end; ++leaf) has_changed |= closure.staying_step(leaf);
    }
    end = begin;
  }
}

}  // namespace heddle::amr
