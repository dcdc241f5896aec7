// A list that only grows: what all threads of the process have made of a kind.
#pragma once

#include <atomic>

namespace heddle {

/// Its nodes name the one before them, by a member that does not change any more: Node::older.
template <class Node, template <class> class Atomic = std::atomic>
class GrowingList {
 public:
  /// Threads: any. Ordering: the node is visible as it is now to a thread that gets it from newest().
  void add(Node& node) {
    Node* before = newest_.load(std::memory_order_relaxed);
    do {
      node.older = before;
      // release: pairs with newest()
    } while (
        !newest_.compare_exchange_weak(before, &node, std::memory_order_release, std::memory_order_relaxed));
  }
  /// Threads: any. nullptr: there is none. Older ones are visible as well.
  Node* newest() const { return newest_.load(std::memory_order_acquire); }

 private:
  Atomic<Node*> newest_{nullptr};
};

}  // namespace heddle
