// What is to go on, of one thread: pushed by any thread, popped by the one.
//
// Order: first come, first served; what other threads have pushed comes behind what this one had then.
// Invariant: a node is on at most one queue, once.
#pragma once

#include <atomic>

#include "sync/mpsc_stack.hpp"

namespace heddle {

template <class Node, template <class> class Atomic = std::atomic>
class ResumeQueue {
 public:
  /// Threads: any. Ordering: what happened before is visible to the thread that pops the node.
  /// Requires: the caller looks afterwards whether the owner sleeps.
  void push(Node& node) { pushed_.push(&node); }

  // -- the owner's

  void push_own(Node& node) {
    node.next = nullptr;
    (last_ != nullptr ? last_->next : first_) = &node;
    last_ = &node;
  }
  void push_own_first(Node& node) {
    node.next = first_;
    first_ = &node;
    if (last_ == nullptr) last_ = &node;
  }

  /// Cost: two loads from one cache line.
  bool is_empty() const { return first_ == nullptr && pushed_.looks_empty(); }

  /// nullptr where there is none.
  Node* pop() {
    if (first_ == nullptr) take_in();
    Node* const node = first_;
    if (node == nullptr) return nullptr;
    first_ = node->next;
    if (first_ == nullptr) last_ = nullptr;
    return node;
  }

 private:
  // The newest stands first there.
  void take_in() {
    for (Node* node = pushed_.take_all(); node != nullptr;) {
      Node* const older = node->next;
      push_own_first(*node);
      node = older;
    }
  }

  MpscStack<Node, Atomic> pushed_;
  Node* first_ = nullptr;
  Node* last_ = nullptr;
};

}  // namespace heddle
