// The list of tasks that wait for a task: pushed to by whoever adds dependences, closed once by the task's
// end.
//
// Words: a *closed* list takes no more edges; its task is complete.
// Invariant: an edge that was pushed is returned by close() exactly once; a push after close() fails.
#pragma once

#include <atomic>

#include "task/task.hpp"

namespace heddle {

inline Edge* closed_mark() {
  static Edge mark;
  return &mark;
}

/// Puts `edge` on the list of a predecessor. Returns false where the predecessor is complete: nothing to wait
/// for. Ordering: a failed push sees all that the predecessor did. Threads:  any; AtomicEdge is
/// std::atomic<Edge*> but for tests of interleavings.
template <class AtomicEdge>
bool push_successor(AtomicEdge& list, Edge& edge) {
  Edge* head = list.load(std::memory_order_acquire);  // acquire: pairs with close_successors()
  do {
    if (head == closed_mark()) return false;
    edge.next = head;
  } while (!list.compare_exchange_weak(head, &edge, std::memory_order_acq_rel, std::memory_order_acquire));
  return true;
}

/// Closes the list and returns its edges, youngest first. An edge's memory belongs to its successor: read
/// `next` before the successor is released.
template <class AtomicEdge>
Edge* close_successors(AtomicEdge& list) {
  return list.exchange(closed_mark(), std::memory_order_acq_rel);  // release: pairs with a failing push
}

template <class AtomicEdge>
bool is_closed(const AtomicEdge& list) {
  return list.load(std::memory_order_acquire) == closed_mark();
}

}  // namespace heddle
