// Objects: the moving shapes that a mesh follows.
//
// Words: an object has a *centre*, a *half-size* per axis, a velocity (*move*) and a growth (*inc*) per unit
// of time. A block is *hit* by an object as the rule of its type says. A type is a *surface* (even) or a
// *solid* (odd).
//
// Invariant: an object with any negative half-size hits nothing. The tests are exactly those of the reference
// program, quirks included (a box surface that misses blocks, cylinder caps that look at x); they must not be
// contracted into fused multiply-adds.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "amr/field/octree.hpp"

namespace heddle::amr {

struct Object {
  int type = 0;
  int bounce = 0;
  std::array<double, kAxes> centre{};
  std::array<double, kAxes> move{};
  std::array<double, kAxes> size{};
  std::array<double, kAxes> inc{};
};

struct ObjectType {
  int type;
  std::string_view name;    // for people
  std::string_view report;  // as the report of the reference spells it
};

/// Every type that exists. Parser, help and report read it.
[[nodiscard]] std::span<const ObjectType> object_types();
/// Null where the type does not exist.
[[nodiscard]] const ObjectType* find_object_type(int type);

/// Whether the object touches the extent, as its type says.
[[nodiscard]] bool hits(const Object& object, const Extent& extent);
[[nodiscard]] bool any_hits(std::span<const Object> objects, const Extent& extent);

/// Moves and grows every object by delta units of time, bouncing those with bounce 1 off the walls.
void move_objects(std::span<Object> objects, double delta);

/// The largest step in which no object moves or grows by more than half a smallest cell; 1 if none moves.
/// Scanning stops at the first object that is negative or wholly outside, as in the reference.
[[nodiscard]] double longest_step(std::span<const Object> objects, const Geometry& geometry,
                                  const std::array<int, kAxes>& cells);

}  // namespace heddle::amr
