#include "amr/refine/marking.hpp"

namespace heddle::amr {
namespace {

Extent enlarged(const Extent& extent, const Geometry& geometry, int level,
                const std::array<int, kAxes>& cells, int times) {
  Extent larger = extent;
  for (int d = 0; d < kAxes; ++d) {
    const double ghost = 2.0 * (static_cast<double>(geometry.half_width(level)) / cells[d]) /
                         static_cast<double>(geometry.mesh_units(d));
    for (int n = 0; n < times; ++n) {
      larger.low[d] -= ghost;
      larger.high[d] += ghost;
    }
  }
  return larger;
}

}  // namespace

Marks mark_leaves(const Part& part, const Geometry& geometry, std::span<const Object> objects,
                  const MarkingRule& rule) {
  const int deepest = geometry.deepest_level();
  Marks marks(static_cast<std::size_t>(part.size()), Mark::coarsen);
  for (const Family& family : part.families()) {
    if (family.all_leaves) continue;
    for (const int leaf : family.child) {
      if (leaf >= 0) marks[static_cast<std::size_t>(leaf)] = Mark::stay;
    }
  }
  for (int n = 0; n < part.own(); ++n) {
    const Leaf& leaf = part.leaf(n);
    const int level = leaf.id.level;
    Mark& mark = marks[static_cast<std::size_t>(n)];
    if (rule.uniform) {
      mark = level < deepest ? Mark::refine : Mark::stay;
      continue;
    }
    const Extent extent = geometry.extent(leaf.id);
    if (any_hits(objects, enlarged(extent, geometry, level, rule.cells, rule.refine_ghost ? 1 : 0))) {
      mark = Mark::refine;
    } else if (rule.refine_ghost && level > 0 &&
               any_hits(objects, enlarged(extent, geometry, level, rule.cells, 2))) {
      mark = Mark::stay;
    }
    if (level == deepest && mark == Mark::refine) mark = Mark::stay;
    if (mark == Mark::stay) mesh::freeze(marks, part, n);
    if (level == 0 && mark == Mark::coarsen) mark = Mark::stay;
  }
  return marks;
}

}  // namespace heddle::amr
