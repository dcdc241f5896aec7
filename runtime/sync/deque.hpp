// A work-stealing deque: one owner pushes and pops at the bottom, any thread steals at the top.
// Source: Chase and Lev, "Dynamic circular work-stealing deque", SPAA 2005; orderings after Lê, Pop, Cohen
// and Zappa Nardelli, PPoPP 2013, with sequentially consistent accesses in place of fences (ThreadSanitizer
// models no fences).
//
// Words: *owner* is the one thread that may push and pop; a *thief* is any other.
// Invariant: the items are slots [top, bottom); top only grows; an item leaves exactly once.
//
// The atomic policy is a template parameter so that a test can drive every interleaving of small cases.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/cache_line.hpp"

namespace heddle {

template <class T, template <class> class Atomic = std::atomic>
class WorkStealingDeque {
 public:
  explicit WorkStealingDeque(std::int64_t capacity = 256) : ring_(new Ring(capacity, nullptr)) {}
  ~WorkStealingDeque() {
    for (Ring* ring = ring_.load(std::memory_order_relaxed); ring != nullptr;) {
      Ring* previous = ring->previous;
      delete ring;
      ring = previous;
    }
  }
  WorkStealingDeque(const WorkStealingDeque&) = delete;
  WorkStealingDeque& operator=(const WorkStealingDeque&) = delete;

  /// Threads:  owner.
  /// Ordering: what happened before push() is visible to whoever takes the item. The store is sequentially
  ///           consistent, so that a following look for sleepers (Parking::wake_one) cannot overtake it.
  void push(T* item) {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
    const std::int64_t top = top_.load(std::memory_order_acquire);  // acquire: pairs with the CAS in steal()
    Ring* ring = ring_.load(std::memory_order_relaxed);
    if (bottom - top >= ring->capacity) ring = grow(ring, top, bottom);
    ring->slot(bottom).store(item, std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_seq_cst);
  }

  /// Threads: owner. Returns the youngest item, or nullptr.
  T* pop() {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    if (bottom < top_.load(std::memory_order_relaxed)) return nullptr;  // top only grows: empty stays empty
    Ring* ring = ring_.load(std::memory_order_relaxed);
    bottom_.store(bottom,
                  std::memory_order_seq_cst);  // before the look at top: a thief sees it or we see the thief
    std::int64_t top = top_.load(std::memory_order_seq_cst);
    if (top > bottom) {
      bottom_.store(bottom + 1, std::memory_order_relaxed);
      return nullptr;
    }
    T* item = ring->slot(bottom).load(std::memory_order_relaxed);
    if (top == bottom) {  // the last item: decide against thieves
      if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
        item = nullptr;
      bottom_.store(bottom + 1, std::memory_order_relaxed);
    }
    return item;
  }

  /// Threads: any. Returns the oldest item, or nullptr where there is none or another thief was faster.
  T* steal() {
    std::int64_t top = top_.load(std::memory_order_seq_cst);
    const std::int64_t bottom = bottom_.load(std::memory_order_seq_cst);  // pairs with push() and pop()
    if (top >= bottom) return nullptr;
    Ring* ring = ring_.load(std::memory_order_acquire);  // acquire: pairs with the release in grow()
    T* item = ring->slot(top).load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
      return nullptr;
    return item;
  }

  /// Threads: any. Sequentially consistent, for the last look before going to sleep.
  bool looks_empty() const {
    return bottom_.load(std::memory_order_seq_cst) <= top_.load(std::memory_order_seq_cst);
  }

  /// Threads: owner. Items held; thieves may be making it smaller.
  std::int64_t size() const {
    return bottom_.load(std::memory_order_relaxed) - top_.load(std::memory_order_relaxed);
  }

 private:
  struct Ring {
    Ring(std::int64_t size, Ring* old)
        : capacity(size), slots(new Atomic<T*>[static_cast<std::size_t>(size)]), previous(old) {}
    Atomic<T*>& slot(std::int64_t index) { return slots[static_cast<std::size_t>(index & (capacity - 1))]; }
    const std::int64_t capacity;  // a power of two
    std::unique_ptr<Atomic<T*>[]> slots;
    Ring* const previous;  // a slow thief may still read an outgrown ring, so it lives as long as the deque
  };

  Ring* grow(Ring* ring, std::int64_t top, std::int64_t bottom) {
    Ring* larger = new Ring(2 * ring->capacity, ring);
    for (std::int64_t i = top; i < bottom; ++i)
      larger->slot(i).store(ring->slot(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
    ring_.store(larger, std::memory_order_release);  // release: pairs with the acquire in steal()
    return larger;
  }

  alignas(kCacheLine) Atomic<std::int64_t> top_{0};     // written by thieves
  alignas(kCacheLine) Atomic<std::int64_t> bottom_{0};  // written by the owner
  Atomic<Ring*> ring_;                                  // written by the owner
};

}  // namespace heddle
