// A stack that many threads push to and one thread empties at a stroke.
//
// Invariant: a node is on at most one stack; taking everything leaves an empty stack, so there is no ABA.
#pragma once

#include <atomic>

namespace heddle {

template <class Node, template <class> class Atomic = std::atomic>
class MpscStack {
 public:
  /// Pushes a chain first -> … -> last that is linked through `next`.
  /// Threads:  any.
  /// Ordering: what happened before is visible to the thread whose take_all() returns the chain.
  void push_chain(Node* first, Node* last) {
    Node* head = head_.load(std::memory_order_relaxed);
    do {
      last->next = head;
    } while (!head_.compare_exchange_weak(head, first, std::memory_order_release, std::memory_order_relaxed));
  }

  void push(Node* node) { push_chain(node, node); }

  /// Exact for an owner that has announced its sleep (sync/parking.hpp); other threads' looks are only hints.
  bool looks_empty() const { return head_.load(std::memory_order_relaxed) == nullptr; }

  /// Threads: the one consumer. Returns the newest node first, linked through `next`, or nullptr.
  Node* take_all() {
    if (head_.load(std::memory_order_relaxed) == nullptr) return nullptr;
    return head_.exchange(nullptr,
                          std::memory_order_acquire);  // acquire: pairs with the release in push_chain()
  }

 private:
  Atomic<Node*> head_{nullptr};
};

}  // namespace heddle
