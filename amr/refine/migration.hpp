// Blocks go to other ranks, with the interior cells of all their variables; ghosts are not sent.
//
// Words: a *wave* is the blocks of a few moves between each two ranks. A rank packs and frees those that
// leave in a wave before it makes room for those that come, so that two full ranks can swap blocks.
//
// Invariant: every rank knows all moves, from the same keys; so nobody asks or answers how many come.
#pragma once

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "amr/field/octree.hpp"
#include "exchange/communicator.hpp"
#include "exchange/tags.hpp"

namespace heddle::amr {

struct BlockMove {
  int leaf = 0;  // leaf index
  int to = 0;    // rank
};

/// So many blocks are on their way between two ranks.
inline constexpr std::size_t kBlocksAWave = 16;

template <class Field>
void pack_block(Field& field, int slot, std::vector<double>& into) {
  const auto& s = field.shape();
  double* to = into.data();
  for (int v = 0; v < s.num_vars; ++v) {
    for (int i = 1; i <= s.nx(); ++i) {
      for (int j = 1; j <= s.ny(); ++j) to = std::copy_n(field.row(slot, v, i, j), s.nz(), to);
    }
  }
}

template <class Field>
void unpack_block(Field& field, int slot, const std::vector<double>& from) {
  const auto& s = field.shape();
  const double* next = from.data();
  for (int v = 0; v < s.num_vars; ++v) {
    for (int i = 1; i <= s.nx(); ++i) {
      for (int j = 1; j <= s.ny(); ++j, next += s.nz()) std::copy_n(next, s.nz(), field.row(slot, v, i, j));
    }
    field.refresh_skins(slot, v);
  }
}

/// Moves the data of leaves that change their rank. Requires: moves are the same on every rank, and the keys
/// still name the ranks that have the leaves. for_each(n, copy): as for move_splits(). Ensures: the store has
/// what this rank has after the moves; the keys are the caller's to change.
template <class Field, class ForEach>
void migrate(Field& field, BlockStore& store, const BlockTree& tree, std::span<const BlockMove> moves,
             exchange::Communicator& ranks, ForEach&& for_each) {
  struct Pair {
    std::vector<int> out, in;  // leaf indices
  };
  std::map<int, Pair> partners;
  std::size_t most = 0;
  for (const BlockMove& move : moves) {
    const int from = tree.key(move.leaf).owner;
    if (from == move.to || (from != ranks.rank() && move.to != ranks.rank())) continue;
    Pair& pair = partners[from == ranks.rank() ? move.to : from];
    std::vector<int>& list = from == ranks.rank() ? pair.out : pair.in;
    list.push_back(move.leaf);
    most = std::max(most, list.size());
  }

  struct Travelling {
    int rank;
    mesh::BlockNumber block;
    int slot;
    std::vector<double> data;
  };
  const std::size_t doubles =
      field.shape().interior_cells() * static_cast<std::size_t>(field.shape().num_vars);
  for (std::size_t first = 0; first < most; first += kBlocksAWave) {
    std::vector<Travelling> coming, going;
    for (const auto& [rank, pair] : partners) {
      const auto wave = [&](const std::vector<int>& list, std::vector<Travelling>& blocks) {
        for (std::size_t n = first; n < std::min(first + kBlocksAWave, list.size()); ++n)
          blocks.push_back({rank, tree.leaf(list[n]).number, -1, std::vector<double>(doubles)});
      };
      wave(pair.in, coming);
      wave(pair.out, going);
    }
    for (Travelling& block : coming)
      ranks.start_receive(block.rank, exchange::kBlockTag, std::as_writable_bytes(std::span(block.data)));
    for (Travelling& block : going) block.slot = store.take(block.block);
    for_each(static_cast<int>(going.size()), [&](int n) {
      Travelling& block = going[static_cast<std::size_t>(n)];
      pack_block(field, block.slot, block.data);
    });
    for (const Travelling& block : going) {
      field.release(block.slot);
      ranks.start_send(block.rank, exchange::kBlockTag, std::as_bytes(std::span(block.data)));
    }
    while (ranks.next_received() != exchange::Communicator::kNone) {
    }
    for (Travelling& block : coming) {
      block.slot = field.reserve();
      store.put(block.block, block.slot);
    }
    for_each(static_cast<int>(coming.size()), [&](int n) {
      const Travelling& block = coming[static_cast<std::size_t>(n)];
      field.clear_ghosts(block.slot);
      unpack_block(field, block.slot, block.data);
    });
    ranks.finish_batch();
  }
}

}  // namespace heddle::amr
