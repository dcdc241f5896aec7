// The list of tasks that wait for a task, and the agreement who frees that task's memory.
//
// Words
//   edge       one dependence: `successor` waits for the task on whose list the edge stands
//   closed     the list takes no more edges; its task is complete
//   abandoned  the dependence table of the task's parent refers to the task no more: no edge will come
//
// Invariants: an edge that was pushed is returned by close() exactly once; a push after close() fails. Of
// close() and abandon() exactly one comes second, and learns it: with kLeaves the memory is the second one's
// to free. Only the thread that runs the task's parent pushes and abandons; who completes the task closes.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

struct Task;

struct Edge {
  Task* successor;
  Edge* next;
};

template <template <class> class Atomic = std::atomic>
class SuccessorList {
 public:
  /// How the completing thread leaves the task behind.
  enum class Closing : std::uintptr_t {
    kLeaves = 2,  // it will not touch the task again
    kHolds = 4,   // the task stays for now: its lifetime is counted (task.hpp)
  };

  enum class Abandoned {
    kOpen,   // the task is not complete
    kFreed,  // the task was closed with kLeaves: its memory is the caller's to free
    kHeld,   // the task was closed with kHolds
  };

  struct Closed {
    Edge* edges;  // youngest first; their memory belongs to the successors: read `next` before releasing one
    bool was_abandoned;  // the closer came second
  };

  /// Puts `edge` on the list. Returns false where the task is complete: nothing to wait for.
  /// Ordering: a failed push sees all that the task did. Threads: the parent's.
  bool push(Edge& edge) {
    Word head = word_.load(std::memory_order_acquire);  // acquire: pairs with close()
    do {
      if (is_mark(head)) return false;
      edge.next = reinterpret_cast<Edge*>(head);
    } while (!word_.compare_exchange_weak(head, reinterpret_cast<Word>(&edge), std::memory_order_acq_rel,
                                          std::memory_order_acquire));
    return true;
  }

  /// Closes the list. Where was_abandoned is false and `how` is kLeaves, the task may be gone already.
  Closed close(Closing how) {
    // release: pairs with a failing push and with abandon(); acquire: pairs with both
    const Word before = word_.exchange(static_cast<Word>(how), std::memory_order_acq_rel);
    return {reinterpret_cast<Edge*>(before & ~kAbandoned), (before & kAbandoned) != 0};
  }

  /// Says that no edge will be pushed any more. Threads: the parent's, once.
  Abandoned abandon() {
    Word word = word_.load(std::memory_order_acquire);  // acquire: pairs with close()
    if (!is_mark(word)) word = word_.fetch_or(kAbandoned, std::memory_order_acq_rel);
    if (!is_mark(word)) return Abandoned::kOpen;
    return word == static_cast<Word>(Closing::kLeaves) ? Abandoned::kFreed : Abandoned::kHeld;
  }

  bool is_closed() const { return is_mark(word_.load(std::memory_order_acquire)); }

  /// The newest edge, for debuggers; null where there is none or the list is closed.
  Edge* peek() const {
    const Word word = word_.load(std::memory_order_acquire);
    return is_mark(word) ? nullptr : reinterpret_cast<Edge*>(word & ~kAbandoned);
  }

 private:
  using Word = std::uintptr_t;
  static constexpr Word kAbandoned = 1;
  // Marks stand where no edge can: edges are aligned to eight bytes.
  static constexpr bool is_mark(Word word) { return (word & 6) != 0; }
  static_assert(alignof(Edge) == 8);

  Atomic<Word> word_{0};
};

}  // namespace heddle
