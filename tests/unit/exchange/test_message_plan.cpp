// What one rank sends is what the other expects, piece by piece, and every transfer has its source.
#include "exchange/message_plan.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/mesh/random_tree.hpp"

namespace heddle::exchange {
namespace {

using mesh::BlockTree;
using mesh::Part;

constexpr int kRanks = 4;

template <int D, int R>
struct Rank {
  Part<D, R> part;
  TransferPlan<D, R> transfers;
  MessagePlan<D, R> messages;

  // The slot of a leaf is its leaf index.
  Rank(const BlockTree<D, R>& tree, int rank) : part(tree, rank) {
    BlockStore store;
    for (int n = 0; n < part.own(); ++n) store.put(part.leaf(n).number, part.leaf_index(n));
    transfers = TransferPlan<D, R>(part, store);
    messages = MessagePlan<D, R>(part, transfers);
  }
};

const Message* of_rank(const std::vector<Message>& messages, int rank) {
  for (const Message& message : messages) {
    if (message.rank == rank) return &message;
  }
  return nullptr;
}

template <class Kind>
class MessagePlanOf : public ::testing::Test {};
TYPED_TEST_SUITE(MessagePlanOf, mesh::Kinds);

TYPED_TEST(MessagePlanOf, BothSidesListTheSamePieces) {
  constexpr int D = TypeParam::kDimension, R = TypeParam::kRatio;
  SeededRandom random;
  BlockTree<D, R> tree = mesh::random_tree<D, R>(5, random);
  for (int n = 0; n < tree.size(); ++n)
    tree.set_owner(n, std::uniform_int_distribution(0, kRanks - 1)(random));
  std::vector<Rank<D, R>> ranks;
  for (int rank = 0; rank < kRanks; ++rank) ranks.emplace_back(tree, rank);
  int pieces = 0;
  for (int from = 0; from < kRanks; ++from) {
    for (int axis = 0; axis < D; ++axis) {
      for (const Message& sent : ranks[from].messages.sends(axis)) {
        ASSERT_NE(sent.rank, from);
        const Message* const received = of_rank(ranks[sent.rank].messages.receives(axis), from);
        ASSERT_NE(received, nullptr);
        ASSERT_EQ(received->pieces.size(), sent.pieces.size());
        for (std::size_t n = 0; n < sent.pieces.size(); ++n) {
          const Piece& out = sent.pieces[n];
          const Piece& in = received->pieces[n];
          ASSERT_EQ(out.op, in.op);
          ASSERT_EQ(out.face, in.face ^ 1);
          ASSERT_EQ(out.subface, in.subface);
          ASSERT_EQ(in.face / 2, axis);
          // The sender's block does lie across that face of the receiver's.
          const auto across = mesh::find_neighbours(tree, tree.id(in.slot))[in.face];
          const int at = in.op == Operator::from_fine ? in.subface : 0;
          ASSERT_EQ(across.leaf[at], out.slot);
          ++pieces;
        }
      }
    }
  }
  int remote = 0;
  for (const auto& rank : ranks) {
    for (const Transfer& transfer : rank.transfers.all()) remote += transfer.is_remote() ? 1 : 0;
  }
  EXPECT_EQ(pieces, remote);
  EXPECT_GT(pieces, 0);
}

}  // namespace
}  // namespace heddle::exchange
