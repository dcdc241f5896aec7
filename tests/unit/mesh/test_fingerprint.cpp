#include "mesh/fingerprint.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/mesh/random_tree.hpp"

namespace heddle::mesh {
namespace {

TEST(Fingerprint, IsKnownForOneRoot) {
  const BlockTree<3, 2> tree(Geometry<3, 2>({1, 1, 1}, 3));
  EXPECT_EQ(to_hex(fingerprint(Part<3, 2>(tree, 0))), "e220a8397b1dcdaf");
}

TEST(Fingerprint, OfAllRanksIsThatOfOneThatHasAll) {
  SeededRandom random;
  BlockTree<2, 3> tree = random_tree<2, 3>(3, random);
  for (int n = 0; n < tree.size(); ++n) tree.set_owner(n, 0);
  const std::uint64_t whole = fingerprint(Part<2, 3>(tree, 0));
  constexpr int kRanks = 3;
  for (int n = 0; n < tree.size(); ++n) tree.set_owner(n, static_cast<int>(random() % kRanks));
  std::uint64_t sum = 0;
  for (int rank = 0; rank < kRanks; ++rank) sum += fingerprint(Part<2, 3>(tree, rank));
  EXPECT_EQ(sum, whole);
}

TEST(Fingerprint, ChangesWithTheMesh) {
  BlockTree<2, 2> tree(Geometry<2, 2>({2, 2}, 2));
  const std::uint64_t before = fingerprint(Part<2, 2>(tree, 0));
  tree.apply({{1}, {}});
  EXPECT_NE(fingerprint(Part<2, 2>(tree, 0)), before);
}

}  // namespace
}  // namespace heddle::mesh
