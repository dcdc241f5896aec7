// Blocks go to other ranks, with what their application keeps in them.
//
// Words: a *wave* is the blocks of a few moves between each two ranks. A rank packs and frees those that
// leave in a wave before it makes room for those that come, so that two full ranks can swap blocks. A
// *carrier* knows the application's storage: it packs what is in a slot, and fills a slot from what was
// packed.
//
// Invariant: every rank knows all moves, from the same keys; so nobody asks or answers how many come.
#pragma once

#include <algorithm>
#include <concepts>
#include <map>
#include <span>
#include <vector>

#include "exchange/block_store.hpp"
#include "exchange/communicator.hpp"
#include "exchange/tags.hpp"
#include "mesh/block_tree.hpp"

namespace heddle::exchange {

struct BlockMove {
  int leaf = 0;  // leaf index
  int to = 0;    // rank
};

template <class C>
concept CarriesBlocks = requires(C& carrier, int slot, std::span<double> data) {
  { carrier.doubles() } -> std::same_as<std::size_t>;  // of one packed block
  { carrier.take() } -> std::same_as<int>;             // a free slot
  carrier.give_back(slot);
  carrier.pack(slot, data);                             // data has doubles() of them; any thread
  carrier.unpack(slot, std::span<const double>(data));  // likewise
};

/// So many blocks are on their way between two ranks.
inline constexpr std::size_t kBlocksAWave = 16;

/// What goes between a rank and another: leaf indices, in the order in which both go through them.
struct PartnerMoves {
  std::span<const int> out, in;
};

/// Calls use(partners), a map from rank to PartnerMoves, for each wave of the moves to and from a rank.
/// Requires: as migrate().
template <int D, int R, class Use>
void for_each_wave(const mesh::BlockTree<D, R>& tree, std::span<const BlockMove> moves, int rank, Use&& use) {
  struct Lists {
    std::vector<int> out, in;
  };
  std::map<int, Lists> all;
  std::size_t most = 0;
  for (const BlockMove& move : moves) {
    const int from = tree.key(move.leaf).owner;
    if (from == move.to || (from != rank && move.to != rank)) continue;
    Lists& pair = all[from == rank ? move.to : from];
    std::vector<int>& list = from == rank ? pair.out : pair.in;
    list.push_back(move.leaf);
    most = std::max(most, list.size());
  }
  for (std::size_t first = 0; first < most; first += kBlocksAWave) {
    const auto part = [&](std::span<const int> list) {
      const std::span<const int> rest = list.subspan(std::min(first, list.size()));
      return rest.first(std::min(kBlocksAWave, rest.size()));
    };
    std::map<int, PartnerMoves> wave;
    for (const auto& [partner, lists] : all) wave[partner] = {part(lists.out), part(lists.in)};
    use(wave);
  }
}

/// Moves the data of leaves that change their rank. Requires: moves are the same on every rank, and the keys
/// still name the ranks that have the leaves. for_each(n, copy) calls copy(0..n-1), in any order or at the
/// same time, and returns when all are done. Ensures: the store has what this rank has after the moves; the
/// keys are the caller's to change.
template <class Carrier, int D, int R, class ForEach>
  requires CarriesBlocks<Carrier>
void migrate(Carrier& carrier, BlockStore& store, const mesh::BlockTree<D, R>& tree,
             std::span<const BlockMove> moves, Communicator& ranks, ForEach&& for_each) {
  struct Travelling {
    int rank;
    mesh::BlockNumber block;
    int slot;
    std::vector<double> data;
  };
  const std::size_t doubles = carrier.doubles();
  for_each_wave(tree, moves, ranks.rank(), [&](const std::map<int, PartnerMoves>& partners) {
    std::vector<Travelling> coming, going;
    for (const auto& [rank, pair] : partners) {
      for (const int leaf : pair.in)
        coming.push_back({rank, tree.leaf(leaf).number, -1, std::vector<double>(doubles)});
      for (const int leaf : pair.out)
        going.push_back({rank, tree.leaf(leaf).number, -1, std::vector<double>(doubles)});
    }
    for (Travelling& block : coming)
      ranks.start_receive(block.rank, kBlockTag, std::as_writable_bytes(std::span(block.data)));
    for (Travelling& block : going) block.slot = store.take(block.block);
    for_each(static_cast<int>(going.size()), [&](int n) {
      Travelling& block = going[static_cast<std::size_t>(n)];
      carrier.pack(block.slot, block.data);
    });
    for (const Travelling& block : going) {
      carrier.give_back(block.slot);
      ranks.start_send(block.rank, kBlockTag, std::as_bytes(std::span(block.data)));
    }
    while (ranks.next_received() != Communicator::kNone) {
    }
    for (Travelling& block : coming) {
      block.slot = carrier.take();
      store.put(block.block, block.slot);
    }
    for_each(static_cast<int>(coming.size()), [&](int n) {
      const Travelling& block = coming[static_cast<std::size_t>(n)];
      carrier.unpack(block.slot, block.data);
    });
    ranks.finish_batch();
  });
}

}  // namespace heddle::exchange
