// Where each block's data lies: block number -> slot.
//
// Words: a *slot* is the name under which an application's field keeps the data of one block.
#pragma once

#include <cassert>
#include <unordered_map>

#include "mesh/block_id.hpp"

namespace heddle::exchange {

class BlockStore {
 public:
  /// Requires: the block is in the store.
  [[nodiscard]] int slot(mesh::BlockNumber block) const {
    const auto found = slots_.find(block);
    assert(found != slots_.end());
    return found->second;
  }
  /// Requires: the block is not in the store.
  void put(mesh::BlockNumber block, int slot) {
    [[maybe_unused]] const bool is_new = slots_.emplace(block, slot).second;
    assert(is_new);
  }
  /// Forgets a block and returns the slot that it had. Requires: the block is in the store.
  int take(mesh::BlockNumber block) {
    const int slot = this->slot(block);
    slots_.erase(block);
    return slot;
  }
  [[nodiscard]] std::size_t size() const { return slots_.size(); }

 private:
  std::unordered_map<mesh::BlockNumber, int> slots_;
};

}  // namespace heddle::exchange
