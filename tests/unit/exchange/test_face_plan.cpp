// What one rank sends is what the other expects, and every remote transfer reads the layer that it means.
#include "exchange/face_plan.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "tests/unit/mesh/random_tree.hpp"

namespace heddle::exchange {
namespace {

constexpr int kRanks = 4;

template <class Kind>
class FacePlanOf : public ::testing::Test {};
TYPED_TEST_SUITE(FacePlanOf, mesh::Kinds);

TYPED_TEST(FacePlanOf, BothSidesMeanTheSameLayers) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  SeededRandom random;
  mesh::BlockTree<D, R> tree = mesh::random_tree<D, R>(4, random);
  for (int n = 0; n < tree.size(); ++n)
    tree.set_owner(n, std::uniform_int_distribution(0, kRanks - 1)(random));

  std::vector<mesh::Part<D, R>> parts;
  std::vector<TransferPlan<D, R>> transfers;
  std::vector<FacePlan<D, R>> plans;
  for (int rank = 0; rank < kRanks; ++rank) {
    parts.emplace_back(tree, rank);
    BlockStore store;  // the slot of a leaf is its leaf index
    for (int n = 0; n < parts.back().own(); ++n)
      store.put(parts.back().leaf(n).number, parts.back().leaf_index(n));
    transfers.emplace_back(parts.back(), store);
    plans.emplace_back(parts.back(), transfers.back());
  }

  // What lies in each received layer, as its sender says: leaf index and face.
  std::vector<std::map<int, std::pair<int, int>>> contents(kRanks);
  for (int from = 0; from < kRanks; ++from) {
    for (const FaceMessage& sent : plans[from].messages()) {
      ASSERT_NE(sent.rank, from);
      std::set<std::pair<int, int>> distinct;
      for (const FaceMessage& back : plans[sent.rank].messages()) {
        if (back.rank != from) continue;
        ASSERT_EQ(back.received, static_cast<int>(sent.sent.size()));
        for (int n = 0; n < back.received; ++n) {
          const SentLayer& layer = sent.sent[static_cast<std::size_t>(n)];
          EXPECT_EQ(parts[from].leaf_index(layer.leaf), layer.slot);
          contents[sent.rank][back.first_received + n] = {layer.slot, layer.face};
          EXPECT_TRUE(distinct.insert({layer.slot, layer.face}).second);
        }
      }
      EXPECT_EQ(distinct.size(), sent.sent.size());
    }
  }
  int remote = 0;
  for (int rank = 0; rank < kRanks; ++rank) {
    EXPECT_EQ(static_cast<int>(contents[rank].size()), plans[rank].received());
    for (int leaf = 0; leaf < parts[rank].own(); ++leaf) {
      for (int f = 0; f < mesh::kFaces<D>; ++f) {
        const auto into = transfers[rank].into_face(leaf, f);
        for (std::size_t n = 0; n < into.size(); ++n) {
          if (!into[n].is_remote()) continue;
          const int layer = plans[rank].layer(&into[n] - transfers[rank].all().data());
          const int across = parts[rank].faces(leaf)[f].leaf[n];
          EXPECT_EQ(contents[rank].at(layer), std::pair(parts[rank].leaf_index(across), f ^ 1));
          ++remote;
        }
      }
    }
  }
  EXPECT_GT(remote, 0);
}

}  // namespace
}  // namespace heddle::exchange
