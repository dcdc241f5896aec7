#include "amr/refine/object.hpp"

#include <algorithm>
#include <cmath>

namespace heddle::amr {
namespace {

constexpr std::array<ObjectType, 22> kTypes{{
    {0, "surface of a box", "surface of a rectangle"},
    {1, "solid box", "volume of a rectangle"},
    {2, "surface of a spheroid", "surface of a spheroid"},
    {3, "solid spheroid", "volume of a spheroid"},
    {4, "surface of the +x half of a spheroid", "surface of x+ hemispheroid"},
    {5, "solid +x half of a spheroid", "volume of x+ hemispheroid"},
    {6, "surface of the -x half of a spheroid", "surface of x- hemispheroid"},
    {7, "solid -x half of a spheroid", "volume of x- hemispheroid"},
    {8, "surface of the +y half of a spheroid", "surface of y+ hemispheroid"},
    {9, "solid +y half of a spheroid", "volume of y+ hemispheroid"},
    {10, "surface of the -y half of a spheroid", "surface of y- hemispheroid"},
    {11, "solid -y half of a spheroid", "volume of y- hemispheroid"},
    {12, "surface of the +z half of a spheroid", "surface of z+ hemispheroid"},
    {13, "solid +z half of a spheroid", "volume of z+ hemispheroid"},
    {14, "surface of the -z half of a spheroid", "surface of z- hemispheroid"},
    {15, "solid -z half of a spheroid", "volume of z- hemispheroid"},
    {20, "surface of a cylinder about x", "surface of x axis cylinder"},
    {21, "solid cylinder about x", "volune of x axis cylinder"},
    {22, "surface of a cylinder about y", "surface of y axis cylinder"},
    {23, "solid cylinder about y", "volune of y axis cylinder"},
    {24, "surface of a cylinder about z", "surface of z axis cylinder"},
    {25, "solid cylinder about z", "volune of z axis cylinder"},
}};

/// One block against one object; the words are those of the reference (docs/amr/README.md).
class Test {
 public:
  Test(const Object& object, const Extent& extent) : o_(object), e_(extent) {
    for (int d = 0; d < kAxes; ++d) {
      const double c = o_.centre[d];
      const double lo = e_.low[d];
      const double hi = e_.high[d];
      inside_[d] = !(c < lo) && !(c > hi);
      const bool near_is_low = inside_[d] ? c < (lo + hi) / 2.0 : c < lo;
      near_[d] = near_is_low ? lo : hi;
      far_[d] = near_is_low ? hi : lo;
    }
  }

  /// The block's interval and the object's overlap.
  [[nodiscard]] bool overlaps(int d) const {
    return e_.high[d] > o_.centre[d] - o_.size[d] && e_.low[d] < o_.centre[d] + o_.size[d];
  }

  /// One of the object's two boundary planes lies strictly inside the block's interval, and neither contains
  /// the other.
  [[nodiscard]] bool straddles(int d) const {
    const double below = o_.centre[d] - o_.size[d];
    const double above = o_.centre[d] + o_.size[d];
    return (e_.low[d] < below && e_.high[d] < above) || (e_.low[d] > below && e_.high[d] > above);
  }

  /// Some point of the block is inside the ellipse or ellipsoid over these axes.
  template <std::size_t N>
  [[nodiscard]] bool near_is_inside(const std::array<int, N>& axes) const {
    int outside = 0;
    int last = 0;
    double sum = 0.0;
    for (const int d : axes) {
      if (inside_[d]) continue;
      const double t = (near_[d] - o_.centre[d]) / o_.size[d];
      sum = outside == 0 ? t * t : sum + t * t;
      last = d;
      ++outside;
    }
    if (outside == 0) return true;
    if (outside == 1) return std::abs(near_[last] - o_.centre[last]) < o_.size[last];
    return sum < 1.0;
  }

  /// Some point of the block is outside it.
  template <std::size_t N>
  [[nodiscard]] bool far_is_outside(const std::array<int, N>& axes) const {
    double sum = 0.0;
    bool is_first = true;
    for (const int d : axes) {
      const double t = (far_[d] - o_.centre[d]) / o_.size[d];
      sum = is_first ? t * t : sum + t * t;
      is_first = false;
    }
    return sum > 1.0;
  }

 private:
  const Object& o_;
  const Extent& e_;
  std::array<bool, kAxes> inside_{};
  std::array<double, kAxes> near_{};
  std::array<double, kAxes> far_{};
};

constexpr std::array<int, 3> kAll{0, 1, 2};

bool box_surface(const Test& t) {
  if (!t.overlaps(0)) return false;
  if (t.straddles(0)) return t.overlaps(1) && t.overlaps(2);
  if (t.overlaps(1)) return t.straddles(1) && t.overlaps(2);
  return t.overlaps(2) && t.straddles(2);
}

bool spheroid(const Test& t, bool is_solid) {
  return t.near_is_inside(kAll) && (is_solid || t.far_is_outside(kAll));
}

/// Half spheroids keep blocks that straddle the cutting plane.
bool is_on_cut_side(const Object& object, const Extent& extent) {
  const int half = (object.type - 4) / 2;  // +x, -x, +y, -y, +z, -z
  const int d = half / 2;
  return half % 2 == 0 ? !(extent.high[d] < object.centre[d]) : !(extent.low[d] > object.centre[d]);
}

bool cylinder(const Test& t, int axis, bool is_solid) {
  const std::array<int, 2> round{(axis + 1) % 3, (axis + 2) % 3};
  if (!t.overlaps(axis) || !t.near_is_inside(round)) return false;
  // The reference asks for the end caps of every cylinder along x.
  return is_solid || t.straddles(0) || t.far_is_outside(round);
}

}  // namespace

std::span<const ObjectType> object_types() {
  return kTypes;
}

const ObjectType* find_object_type(int type) {
  const auto* found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const ObjectType& t) { return t.type == type; });
  return found == kTypes.end() ? nullptr : found;
}

bool hits(const Object& object, const Extent& extent) {
  if (std::any_of(object.size.begin(), object.size.end(), [](double s) { return s < 0.0; })) return false;
  const Test test(object, extent);
  const bool is_solid = object.type % 2 == 1;
  const int type = object.type;
  if (type == 0) return box_surface(test);
  if (type == 1) return test.overlaps(0) && test.overlaps(1) && test.overlaps(2);
  if (type == 2 || type == 3) return spheroid(test, is_solid);
  if (type >= 4 && type <= 15) return spheroid(test, is_solid) && is_on_cut_side(object, extent);
  if (type >= 20 && type <= 25) return cylinder(test, (type - 20) / 2, is_solid);
  return false;
}

bool any_hits(std::span<const Object> objects, const Extent& extent) {
  return std::any_of(objects.begin(), objects.end(), [&](const Object& o) { return hits(o, extent); });
}

void move_objects(std::span<Object> objects, double delta) {
  for (Object& o : objects) {
    for (int d = 0; d < kAxes; ++d) {
      o.centre[d] += delta * o.move[d];
      o.size[d] += delta * o.inc[d];
      if (o.bounce != 1) continue;  // bounce 2 does nothing in the reference either
      if (o.centre[d] >= 1.0) {
        o.centre[d] = 2.0 - o.centre[d];
        o.move[d] = -o.move[d];
      } else if (o.centre[d] <= 0.0) {
        o.centre[d] = 0.0 - o.centre[d];
        o.move[d] = -o.move[d];
      }
    }
  }
}

double longest_step(std::span<const Object> objects, const Geometry& geometry,
                    const std::array<int, kAxes>& cells) {
  double fastest = 0.0;
  for (const Object& o : objects) {
    bool is_active = true;
    for (int d = 0; d < kAxes; ++d) {
      if (o.size[d] < 0.0 || (o.centre[d] < 0.0 && o.centre[d] + o.size[d] < 0.0) ||
          (o.centre[d] > 1.0 && o.centre[d] - o.size[d] > 1.0)) {
        is_active = false;
      }
    }
    if (!is_active) break;
    for (int d = 0; d < kAxes; ++d) {
      const double cells_across = static_cast<double>(geometry.mesh_units(d) * cells[d]);
      fastest = std::max(fastest, (std::abs(o.move[d]) + std::abs(o.inc[d])) * cells_across);
    }
  }
  return fastest == 0.0 ? 1.0 : 1.0 / fastest;
}

}  // namespace heddle::amr
