// The tasks that wait for a task, and the agreement on which thread frees that task's memory.
//
// Words
//   direct     a successor that stands in the list itself: the first few
//   edge       of a list whose room for direct ones is used up: one more. It lies in the successor's memory
//   closed     the list takes no more successors; its task is complete
//   abandoned  the dependence table of the task's parent refers to the task no more: no successor will come
//
// Invariants: a successor that was pushed is returned by close() exactly once; a push after close() fails. Of
// close() and abandon() exactly one comes second, and learns it: with kLeaves the memory is the second one's
// to free. Only the thread that runs the task's parent pushes and abandons; the thread that completes the
// task closes.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/plain.hpp"

namespace heddle {

struct Task;

struct alignas(16) Edge {
  Task* successor;
  Edge* next;
};

template <template <class> class Atomic = std::atomic>
class SuccessorList {
 public:
  static constexpr std::uint32_t kMostDirect = 3;

  /// How the completing thread leaves the task behind.
  enum class Closing : std::uintptr_t {
    kLeaves,  // it will not touch the task again
    kHolds,   // the task stays for now: its lifetime is counted (task.hpp)
  };

  enum class Abandoned {
    kOpen,   // the task is not complete
    kFreed,  // the task was closed with kLeaves: its memory is the caller's to free
    kHeld,   // the task was closed with kHolds
  };

  struct Closed {
    Task* direct[kMostDirect];  // oldest first, and older than all edges
    std::uint32_t directs;
    Edge* edges;  // youngest first; their memory belongs to the successors: read `next` before releasing one
    bool was_abandoned;  // the closer came second
  };

  /// Lets `successor` wait, unless it was the last that did. Returns false then, and where the task is
  /// complete: there is nothing more to wait for. edges.next() is an edge in the successor's memory,
  /// edges.has() says whether one is.
  /// Ordering: a push that fails for a complete task sees all that it did. Threads: the parent's.
  template <class Edges>
  bool push(Task& successor, Edges&& edges) {
    Word word = word_.load(std::memory_order_acquire);  // acquire: pairs with close()
    if (is_closed(word)) return false;
    const std::uint32_t directs = directs_of(word);
    Edge* const newest = edge_of(word);
    if (newest != nullptr ? edges.has(*newest) : directs > 0 && direct_[directs - 1] == &successor)
      return false;
    Word with_it = word + kOneDirect;
    Edge* edge = nullptr;
    if (directs < kMostDirect) {
      direct_[directs] = &successor;  // nobody looks there before it is counted
    } else {
      edge = &edges.next();
      *edge = {&successor, newest};
      with_it = reinterpret_cast<Word>(edge) | (word & kLowBits);
    }
    // release: pairs with close(). Nobody else changes an open list.
    while (!word_.compare_exchange_weak(word, with_it, std::memory_order_release, std::memory_order_acquire))
      if (is_closed(word)) return false;
    return true;
  }

  /// Closes the list. Where was_abandoned is false and `how` is kLeaves, the task may be gone already.
  Closed close(Closing how) {
    Closed closed;
    Word word = word_.load(std::memory_order_acquire);
    do {
      closed.directs = directs_of(word);
      for (std::uint32_t i = 0; i < closed.directs; ++i) closed.direct[i] = direct_[i];
      // release: pairs with a failing push and with abandon(); acquire: pairs with both
    } while (!word_.compare_exchange_weak(word, kClosed | static_cast<Word>(how) << kCountShift,
                                          std::memory_order_release, std::memory_order_acquire));
    closed.edges = edge_of(word);
    closed.was_abandoned = (word & kAbandoned) != 0;
    return closed;
  }

  /// Says that no successor will be pushed any more. Threads: the parent's, once.
  Abandoned abandon() {
    Word word = word_.load(std::memory_order_acquire);  // acquire: pairs with close()
    if (!is_closed(word)) word = word_.fetch_or(kAbandoned, std::memory_order_acq_rel);
    if (!is_closed(word)) return Abandoned::kOpen;
    return static_cast<Closing>((word & kLowBits) >> kCountShift) == Closing::kLeaves ? Abandoned::kFreed
                                                                                      : Abandoned::kHeld;
  }

  bool is_closed() const { return is_closed(word_.load(std::memory_order_acquire)); }

  /// visit(successor), youngest first; exact only while the task is incomplete.
  template <class Visit>
  void for_each(Visit&& visit) const {
    const Word word = word_.load(std::memory_order_acquire);
    if (is_closed(word)) return;
    for (const Edge* edge = edge_of(word); edge != nullptr; edge = edge->next) visit(*edge->successor);
    for (std::uint32_t i = directs_of(word); i > 0; --i) visit(*direct_[i - 1]);
  }
  /// The oldest, or null: for a thread that runs the task.
  const Task* first() const {
    const Word word = word_.load(std::memory_order_acquire);
    return !is_closed(word) && directs_of(word) > 0 ? static_cast<const Task*>(direct_[0]) : nullptr;
  }

 private:
  // The newest edge, and in the low bits, which addresses of edges leave free, how many are direct; of a
  // closed list how it was closed.
  using Word = std::uintptr_t;
  static constexpr Word kAbandoned = 1, kClosed = 2, kLowBits = 15;
  static constexpr int kCountShift = 2;
  static constexpr Word kOneDirect = Word{1} << kCountShift;
  static_assert(alignof(Edge) == kLowBits + 1);
  static_assert(kMostDirect * kOneDirect + kClosed + kAbandoned <= kLowBits);

  static constexpr bool is_closed(Word word) { return (word & kClosed) != 0; }
  static constexpr std::uint32_t directs_of(Word word) {
    return static_cast<std::uint32_t>((word & kLowBits) >> kCountShift);
  }
  static Edge* edge_of(Word word) { return reinterpret_cast<Edge*>(word & ~kLowBits); }

  Atomic<Word> word_{0};
  typename Plain<Atomic>::template Data<Task*> direct_[kMostDirect];  // NOLINT: those that are counted
};

}  // namespace heddle
