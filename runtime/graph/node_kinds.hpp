// The kinds of nodes that no log has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_set>

#include "base/address_hash.hpp"
#include "graph/graph_node.hpp"

namespace heddle {

class NodeKinds {
 public:
  NodeKinds() = default;
  NodeKinds(const NodeKinds&) = delete;
  NodeKinds& operator=(const NodeKinds&) = delete;

  /// The one that is equal. It stays as long as this.
  const NodeKind& like(const NodeKind& kind) {
    if (last_ == nullptr || *last_ != kind) last_ = &*all_.insert(kind).first;
    return *last_;
  }

 private:
  struct Hash {
    std::size_t operator()(const NodeKind& kind) const {
      return hash_of(hash_of(kind.code) ^ static_cast<std::uint32_t>(kind.priority));
    }
  };
  std::unordered_set<NodeKind, Hash> all_;
  const NodeKind* last_ = nullptr;
};

}  // namespace heddle
