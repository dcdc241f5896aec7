// A hash table from block number to a small integer: the one lookup that neighbour finding and marking do.
//
// Open addressing, at most half full, rebuilt rather than erased from.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mesh/block_id.hpp"

namespace heddle::mesh {

/// The splitmix64 finaliser: scatters block numbers, and makes mesh fingerprints.
[[nodiscard]] constexpr std::uint64_t scatter(std::uint64_t number) {
  std::uint64_t z = number + 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

class NumberTable {
 public:
  /// Empties the table and makes room for this many numbers.
  void reset(std::size_t count) {
    entries_.assign(std::bit_ceil(2 * count + 2), Entry{});
    mask_ = entries_.size() - 1;
  }

  /// Requires: reset() made room, and number is not in the table.
  void insert(BlockNumber number, int value) {
    std::size_t at = scatter(static_cast<std::uint64_t>(number)) & mask_;
    while (entries_[at].number >= 0) at = (at + 1) & mask_;
    entries_[at] = {number, value};
  }

  [[nodiscard]] int find(BlockNumber number, int otherwise) const {
    if (entries_.empty()) return otherwise;
    std::size_t at = scatter(static_cast<std::uint64_t>(number)) & mask_;
    while (entries_[at].number >= 0) {
      if (entries_[at].number == number) return entries_[at].value;
      at = (at + 1) & mask_;
    }
    return otherwise;
  }

 private:
  struct Entry {
    BlockNumber number = -1;
    int value = 0;
  };
  std::vector<Entry> entries_;
  std::size_t mask_ = 0;
};

}  // namespace heddle::mesh
