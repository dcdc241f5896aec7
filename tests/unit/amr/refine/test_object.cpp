#include "amr/refine/object.hpp"

#include <gtest/gtest.h>

namespace heddle::amr {
namespace {

constexpr Extent kUnit{{0, 0, 0}, {1, 1, 1}};

Object object(int type, std::array<double, 3> centre, std::array<double, 3> size) {
  Object o;
  o.type = type;
  o.centre = centre;
  o.size = size;
  return o;
}

TEST(Object, ASolidHitsABlockInsideItAndASurfaceDoesNot) {
  const Extent inner{{0.45, 0.45, 0.45}, {0.55, 0.55, 0.55}};
  EXPECT_TRUE(hits(object(3, {0.5, 0.5, 0.5}, {0.4, 0.4, 0.4}), inner));
  EXPECT_FALSE(hits(object(2, {0.5, 0.5, 0.5}, {0.4, 0.4, 0.4}), inner));
}

TEST(Object, ABoxSurfaceInsideOneBlockIsNotSeen) {
  EXPECT_FALSE(hits(object(0, {0.5, 0.5, 0.5}, {0.1, 0.1, 0.1}), kUnit));
}

TEST(Object, ANegativeSizeHitsNothing) {
  for (const ObjectType& t : object_types())
    EXPECT_FALSE(hits(object(t.type, {0.5, 0.5, 0.5}, {0.2, -0.1, 0.2}), kUnit));
}

TEST(Object, HalfSpheroidsKeepBlocksOnTheirSide) {
  const Extent right{{0.6, 0.4, 0.4}, {0.7, 0.6, 0.6}};
  EXPECT_TRUE(hits(object(5, {0.5, 0.5, 0.5}, {0.4, 0.4, 0.4}), right));
  EXPECT_FALSE(hits(object(7, {0.5, 0.5, 0.5}, {0.4, 0.4, 0.4}), right));
}

TEST(Object, EveryTypeInTheTableHitsSomething) {
  for (const ObjectType& t : object_types()) {
    bool any = false;
    for (int n = 0; n < 512 && !any; ++n) {
      const std::array<double, 3> low{(n % 8) / 8.0, (n / 8 % 8) / 8.0, (n / 64) / 8.0};
      any = hits(object(t.type, {0.5, 0.5, 0.5}, {0.3, 0.3, 0.3}),
                 {low, {low[0] + 0.125, low[1] + 0.125, low[2] + 0.125}});
    }
    EXPECT_TRUE(any) << t.name;
  }
}

TEST(Object, BouncingReflectsTheCentreAndTurnsTheVelocity) {
  Object o = object(2, {0.9, 0.5, 0.1}, {0.1, 0.1, 0.1});
  o.bounce = 1;
  o.move = {0.25, 0.0, -0.25};
  move_objects({&o, 1}, 1.0);
  EXPECT_DOUBLE_EQ(o.centre[0], 0.85);
  EXPECT_EQ(o.move[0], -0.25);
  EXPECT_DOUBLE_EQ(o.centre[2], 0.15);
  EXPECT_EQ(o.move[2], 0.25);
}

TEST(Object, BounceTwoDoesNothingAsInTheReference) {
  Object o = object(2, {0.9, 0.5, 0.5}, {0.1, 0.1, 0.1});
  o.bounce = 2;
  o.move = {0.25, 0.0, 0.0};
  move_objects({&o, 1}, 1.0);
  EXPECT_DOUBLE_EQ(o.centre[0], 1.15);
}

TEST(LongestStep, StopsAtTheFirstInactiveObject) {
  const Geometry g({1, 1, 1}, 2);
  Object outside = object(2, {-2, 0.5, 0.5}, {0.1, 0.1, 0.1});
  Object fast = object(2, {0.5, 0.5, 0.5}, {0.1, 0.1, 0.1});
  fast.move = {0.5, 0, 0};
  const std::array both{outside, fast};
  EXPECT_EQ(longest_step(both, g, {4, 4, 4}), 1.0);
  EXPECT_EQ(longest_step({&fast, 1}, g, {4, 4, 4}), 1.0 / (0.5 * 8 * 4));
}

}  // namespace
}  // namespace heddle::amr
