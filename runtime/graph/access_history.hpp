// Who accessed what in a recorded region: gives each task the tasks that it must wait for, complete ones
// included.
//
// The rules are those of deps/dependence_table.hpp, which cannot serve here: it forgets who is complete. Two
// things differ. The tasks of a mutexinoutset wait for each other in the order of their creation, which is
// one of those that the standard allows. And where many wait for many, a *join* stands between them, a node
// without a body, so that there are as many edges as tasks and not their product.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "deps/access.hpp"
#include "deps/address_index.hpp"
#include "mem/large_blocks.hpp"

namespace heddle {

using NodeIndex = std::uint32_t;

class AccessHistory {
 public:
  /// Whom a node with these dependences must wait for: ascending, each once; until the next call.
  /// make_join(nodes) makes a node that waits for `nodes`, and returns its index.
  template <class MakeJoin>
  std::span<const NodeIndex> predecessors(std::span<const Dependence> dependences, MakeJoin&& make_join) {
    look_up(dependences);
    for (std::size_t i = 0; i < named_.size(); ++i) {
      if (!is_oversubscribed(named_[i], dependences[i])) continue;
      Set& previous = entries_[named_[i]].previous;
      const NodeIndex join = make_join(nodes_of(previous));
      clear(previous);
      add(previous, join);
    }
    return collect(dependences);
  }
  /// The same without joins.
  std::span<const NodeIndex> predecessors(std::span<const Dependence> dependences) {
    look_up(dependences);
    return collect(dependences);
  }

  /// `node`, which waits for predecessors(), is what comes after it waits for.
  /// Requires: predecessors() was called last for the same dependences.
  void add(NodeIndex node, std::span<const Dependence> dependences);

 private:
  // Ascending. One node needs no more memory; more have a place in more_.
  struct Set {
    std::uint32_t size = 0;
    std::uint32_t room = 1;   // a power of two
    std::uint32_t where = 0;  // the node; where there is room for more: the index in more_
  };
  // The current set of accesses, and the one before it.
  struct Entry {
    const void* address = nullptr;
    Set current = {}, previous = {};
    AccessKind kind = AccessKind::kOut;
  };
  static constexpr std::uint32_t kNoEntry = UINT32_MAX;

  std::span<const NodeIndex> nodes_of(const Set& set) const {
    return {set.room == 1 ? &set.where : more_.data() + set.where, set.size};
  }
  void add(Set& set, NodeIndex node) {
    if (set.room == 1 && set.size == 0)
      set.where = node;
    else
      add_another(set, node);
    ++set.size;
  }
  void add_another(Set& set, NodeIndex node);
  static void clear(Set& set) { set.size = 0; }

  void look_up(std::span<const Dependence> dependences);
  std::uint32_t entry_of(const void* address);
  Entry& enter(const void* address, AddressIndex::Free free);
  bool is_oversubscribed(std::uint32_t entry, const Dependence& dependence) const;
  /// Of an entry.
  std::span<const NodeIndex> awaited(std::uint32_t entry, const Dependence& dependence) const;
  std::span<const NodeIndex> collect(std::span<const Dependence> dependences);
  /// Ascending, each once.
  void sort_found();
  void access(Entry& entry, AccessKind kind, NodeIndex node);

  LargeVector<Entry> entries_;
  AddressIndex index_;                // of the entries
  LargeVector<NodeIndex> more_;       // of sets
  Set all_memory_;                    // the last task with omp_all_memory
  std::vector<std::uint32_t> named_;  // by the dependences of the last call; kNoEntry: without address
  std::vector<NodeIndex> found_;      // by the last call
};

}  // namespace heddle
