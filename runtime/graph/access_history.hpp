// Who accessed what in a recorded region: gives each task the tasks that it must wait for, complete ones
// included.
//
// The rules are those of deps/dependence_table.hpp, which cannot serve here: it forgets who is complete. Two
// things differ. The tasks of a mutexinoutset wait for each other in the order of their creation, which is
// one of those that the standard allows. And where many wait for many, a *join* stands between them, a node
// without a body, so that there are as many edges as tasks and not their product.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <unordered_map>
#include <vector>

#include "deps/access.hpp"

namespace heddle {

using NodeIndex = std::uint32_t;

class AccessHistory {
 public:
  /// Whom a node with these dependences must wait for: ascending, each once; until the next call.
  /// make_join(nodes) makes a node that waits for `nodes`, and returns its index.
  template <class MakeJoin>
  std::span<const NodeIndex> predecessors(std::span<const Dependence> dependences, MakeJoin&& make_join) {
    look_up(dependences);
    for (std::size_t i = 0; i < named_.size(); ++i)
      if (is_crowded(named_[i], dependences[i])) named_[i]->previous = {make_join(named_[i]->previous)};
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
  // The current set of accesses, and the one before it.
  using Set = std::pmr::vector<NodeIndex>;
  struct Entry {
    using allocator_type = Set::allocator_type;
    explicit Entry(const allocator_type& allocator) : current(allocator), previous(allocator) {}

    AccessKind kind = AccessKind::kOut;
    Set current, previous;
  };

  void look_up(std::span<const Dependence> dependences);
  static bool is_crowded(const Entry* entry, const Dependence& dependence);
  /// Of an entry: ascending, each once.
  static const Set& awaited(const Entry& entry, const Dependence& dependence);
  std::span<const NodeIndex> collect(std::span<const Dependence> dependences);
  /// Ascending, each once.
  void sort_found();
  static void access(Entry& entry, AccessKind kind, NodeIndex node);

  std::pmr::monotonic_buffer_resource memory_;  // of what follows
  std::pmr::unordered_map<const void*, Entry> entries_{&memory_};
  Set all_memory_{&memory_};      // the last task with omp_all_memory
  std::vector<Entry*> named_;     // by the dependences of the last call; null for those without address
  std::vector<NodeIndex> found_;  // by the last call
};

}  // namespace heddle
