// The accesses of a recorded region so far: gives each task the tasks that it must wait for, complete ones
// included.
//
// The rules are those of the dependence table (deps/access.hpp), which itself cannot serve here: it forgets
// complete tasks. Two things differ. The tasks of a mutexinoutset wait for each other in the order of their
// creation, which is one of those that the standard allows. And where many wait for many, a *join* stands
// between them, a node without a body, so that there are as many edges as tasks and not their product.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "deps/access.hpp"
#include "deps/address_index.hpp"
#include "mem/large_blocks.hpp"
#include "sched/limits.hpp"

namespace heddle {

using NodeIndex = std::uint32_t;

class AccessHistory {
 public:
  /// Before a node with these dependences is added: a large set that it would be the second to wait for gets
  /// a join. make_join(nodes) makes a node that waits for `nodes`, and returns its index.
  template <class MakeJoin>
  void make_joins(std::span<const Dependence> dependences, MakeJoin&& make_join) {
    if (!has_large_sets_) return;
    for (const Dependence& dependence : dependences) {
      if (dependence.is_all_memory || dependence.address == nullptr) continue;
      Entry& entry = entry_of(dependence.address);
      if (entry.previous.size() < limits::kJoined || !joins(kind_of(dependence), entry.current)) continue;
      const NodeIndex join = make_join(nodes_of(entry.previous));
      entry.previous.clear();
      add(entry.previous, join);
    }
  }

  /// The nodes that `node` must wait for: ascending, each once; until the next call. Those that are added
  /// after it wait for it. Requires: it is higher than all before it.
  std::span<const NodeIndex> add(NodeIndex node, std::span<const Dependence> dependences);

  /// The same for what is complete before another node is created.
  std::span<const NodeIndex> add_waiting_only(std::span<const Dependence> dependences);

 private:
  // Ascending. One node needs no more memory; more have a place in more_.
  class Set {
   public:
    AccessKind kind = AccessKind::kOut;

    std::uint32_t size() const { return size_; }
    void clear() { size_ = 0; }

   private:
    friend class AccessHistory;
    std::uint32_t size_ = 0;
    std::uint32_t room_ = 1;   // a power of two
    std::uint32_t where_ = 0;  // the node; where there is room for more: the index in more_
  };
  struct Entry {
    const void* address = nullptr;
    Set current = {}, previous = {};
  };
  // Of a node that is being added; see add_accesses().
  struct Accesses;

  static AccessKind kind_of(const Dependence& dependence) {
    return dependence.kind == AccessKind::kMutexInOutSet ? AccessKind::kOut : dependence.kind;
  }

  std::span<const NodeIndex> nodes_of(const Set& set) const {
    return {set.room_ == 1 ? &set.where_ : more_.data() + set.where_, set.size_};
  }
  void add(Set& set, NodeIndex node) {
    if (set.room_ == 1 && set.size_ == 0)
      set.where_ = node;
    else
      add_another(set, node);
    ++set.size_;
  }
  void add_another(Set& set, NodeIndex node);
  Entry& entry_of(const void* address);
  Entry& enter(const void* address, AddressIndex::Free free);

  LargeVector<Entry> entries_;
  AddressIndex index_;            // of the entries
  LargeVector<NodeIndex> more_;   // of sets
  Set all_memory_;                // the last task with omp_all_memory
  std::vector<NodeIndex> found_;  // by the last call
  bool has_large_sets_ = false;   // or had
};

}  // namespace heddle
