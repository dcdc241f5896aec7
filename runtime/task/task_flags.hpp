// The flags of a task: what it is, and how far it has come, in one word.
//
// Words: a task is *published* when another thread can learn of it: it is queued, waits for a predecessor, or
// its event was handed out.
//
// Invariant: the word has one writer at a time, so that changing it takes no read-modify-write.
//   until it is published: its creator, every bit of what the task is, and those of what it has by then;
//   while it is executed: the thread that executes it, kHasMoreParts, kHasBegun, kDiscarded, kHasExtensions,
//   kHasChildTable, and kDetachable where the body asks for events outside OpenMP;
//   once its body has returned: the thread that completes it, kKeepsParent.
// Nobody else writes it: the parent's dependence table, which retains tasks for as long as it refers to them,
// sets kNamed before publication and afterwards counts only (Task::named_by). Other threads may read bits
// that do not change any more after publication: kImplicit, kNamed, kHasExclusions, kInGroup, kHasHandle.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

template <template <class> class Atomic = std::atomic>
class TaskFlags {
 public:
  using Bits = std::uint16_t;

  TaskFlags() = default;
  TaskFlags(Bits bits) : word_(bits) {}  // NOLINT: as a plain word would

  /// Threads: any, for bits that do not change any more.
  operator Bits() const { return word_.load(std::memory_order_relaxed); }  // NOLINT: as above

  // Threads: the writer. What is published with a new value is ordered by how the task is handed over, so
  // relaxed will do; atomic at all, since others look at bits beside those that change.
  TaskFlags& operator=(unsigned bits) {
    word_.store(static_cast<Bits>(bits), std::memory_order_relaxed);
    return *this;
  }
  void set(unsigned bits) { *this = word_.load(std::memory_order_relaxed) | bits; }
  void clear(unsigned bits) { *this = word_.load(std::memory_order_relaxed) & ~bits; }

 private:
  Atomic<Bits> word_{0};
};

}  // namespace heddle
