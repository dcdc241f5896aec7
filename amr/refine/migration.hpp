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
void pack_block(Field& field, int slot, std::vector<double>& to) {
  const auto& s = field.shape();
  to.reserve(s.interior_cells() * static_cast<std::size_t>(s.num_vars));
  for (int v = 0; v < s.num_vars; ++v) {
    for (int i = 1; i <= s.nx(); ++i) {
      for (int j = 1; j <= s.ny(); ++j) {
        const double* row = field.row(slot, v, i, j);
        to.insert(to.end(), row, row + s.nz());
      }
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
/// still name the ranks that have the leaves. Ensures: the store has what this rank has after the moves; the
/// keys are the caller's to change.
template <class Field>
void migrate(Field& field, BlockStore& store, const BlockTree& tree, std::span<const BlockMove> moves,
             exchange::Communicator& ranks) {
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

  const std::size_t doubles =
      field.shape().interior_cells() * static_cast<std::size_t>(field.shape().num_vars);
  for (std::size_t first = 0; first < most; first += kBlocksAWave) {
    const auto wave = [&](const std::vector<int>& list) {
      const std::size_t begin = std::min(first, list.size());
      return std::span(list).subspan(begin, std::min(kBlocksAWave, list.size() - begin));
    };
    std::vector<std::vector<double>> incoming, outgoing;
    std::vector<int> coming;  // leaf index of each receive
    for (const auto& [rank, pair] : partners) {
      for (const int leaf : wave(pair.in)) {
        coming.push_back(leaf);
        incoming.emplace_back(doubles);
        ranks.start_receive(rank, exchange::kBlockTag, std::as_writable_bytes(std::span(incoming.back())));
      }
    }
    for (const auto& [rank, pair] : partners) {
      for (const int leaf : wave(pair.out)) {
        const int slot = store.take(tree.leaf(leaf).number);
        pack_block(field, slot, outgoing.emplace_back());
        field.release(slot);
        ranks.start_send(rank, exchange::kBlockTag, std::as_bytes(std::span(outgoing.back())));
      }
    }
    for (int n = ranks.next_received(); n != exchange::Communicator::kNone; n = ranks.next_received()) {
      const int slot = field.acquire();
      unpack_block(field, slot, incoming[static_cast<std::size_t>(n)]);
      store.put(tree.leaf(coming[static_cast<std::size_t>(n)]).number, slot);
    }
    ranks.finish_batch();
  }
}

}  // namespace heddle::amr
