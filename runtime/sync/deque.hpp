// A work-stealing deque: one owner pushes and pops at the bottom, any thread steals at the top.
// Source: Chase and Lev, "Dynamic circular work-stealing deque", SPAA 2005; orderings after Lê, Pop, Cohen
// and Zappa Nardelli, PPoPP 2013, with sequentially consistent accesses in place of fences (ThreadSanitizer
// models no fences). Stealing many at a stroke is ours.
//
// Words
//   owner  the one thread that may push and pop; a *thief* is any other
//   long   a mode the owner chooses while there are many items: a thief takes kBatch at a stroke then, and
//          the owner leaves the kBatch items at the top alone. Otherwise one at a time, as in the papers.
//
// Invariants: the items are slots [top, bottom); top only grows; an item leaves exactly once. Mode and top
// are one word with a number that every change of mode moves on, so a thief that looked before a change
// cannot succeed after it. Numbers of items: 48 bits, so that a deque serves for 2.8e14 pushes.
//
// The atomic policy is a template parameter so that a test can drive every interleaving of small cases.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "base/cache_line.hpp"

namespace heddle {

template <class T, template <class> class Atomic = std::atomic, int Batch = 32>
class WorkStealingDeque {
 public:
  static constexpr int kBatch = Batch;
  static constexpr int kLost = -1;

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
  /// Ordering: what happened before push() is visible to the thread that takes the item.
  void push(T* item) {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
    Ring* ring = ring_.load(std::memory_order_relaxed);
    if (bottom - top_seen_ >= check_at_) [[unlikely]]
      ring = look_at_top(ring, bottom);
    ring->slot(bottom).store(item, std::memory_order_relaxed);
    bottom_.store(bottom + 1, std::memory_order_release);  // release: pairs with the load in steal()
  }

  /// Threads: owner. Returns the youngest item, or nullptr.
  T* pop() {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed) - 1;
    if (bottom < top_seen_) return nullptr;  // top only grows: empty stays empty
    Ring* ring = ring_.load(std::memory_order_relaxed);
    bottom_.store(bottom,
                  std::memory_order_seq_cst);  // before the look at top: a thief sees it or we see the thief
    Word word = top_.load(std::memory_order_seq_cst);
    if (is_long(word) && bottom - top_of(word) < kBatch) [[unlikely]]
      word = change_mode(word);
    const std::int64_t top = top_of(word);
    top_seen_ = top;
    if (top > bottom) {
      bottom_.store(bottom + 1, std::memory_order_relaxed);
      return nullptr;
    }
    T* item = ring->slot(bottom).load(std::memory_order_relaxed);
    if (top == bottom) {  // the last item: decide against thieves
      if (!top_.compare_exchange_strong(word, word + 1, std::memory_order_release, std::memory_order_relaxed))
        item = nullptr;
      top_seen_ = bottom + 1;
      bottom_.store(bottom + 1, std::memory_order_relaxed);
    }
    return item;
  }

  /// Takes the oldest item, or the kBatch oldest of a long deque, into `items`, oldest first; at most `most`.
  /// Requires: items has room for so many.
  /// Threads: any. Returns how many were taken: 0 where there is none, which misses as little as
  /// looks_empty() does, and kLost where another thread was faster.
  int steal(T** items, int most = kBatch) {
    Word word = top_.load(std::memory_order_seq_cst);
    const std::int64_t bottom = bottom_.load(std::memory_order_seq_cst);  // pairs with push() and pop()
    const std::int64_t top = top_of(word);
    if (top >= bottom) return 0;
    const int count = is_long(word) && bottom - top >= kBatch ? most : 1;
    Ring* ring = ring_.load(std::memory_order_acquire);  // acquire: pairs with the release in look_at_top()
    for (int i = 0; i < count; ++i) items[i] = ring->slot(top + i).load(std::memory_order_relaxed);
    if (!top_.compare_exchange_strong(word, word + static_cast<Word>(count), std::memory_order_seq_cst,
                                      std::memory_order_relaxed))
      return kLost;
    return count;
  }

  /// Threads: any. Misses no item where a thread has announced its sleep, or has ended its search
  /// (sync/parking.hpp).
  bool looks_empty() const {
    // An old top makes it look longer than it is.
    return bottom_.load(std::memory_order_seq_cst) <= top_of(top_.load(std::memory_order_relaxed));
  }

  /// Threads: owner. Where the next item goes: those pushed from now on stand at this number and above.
  std::int64_t end() const { return bottom_.load(std::memory_order_relaxed); }

  /// Threads: owner. Whether at least `count` items are held; thieves may be making them fewer.
  /// Cost: seldom looks at what thieves write.
  bool holds(std::int64_t count) {
    const std::int64_t bottom = bottom_.load(std::memory_order_relaxed);
    if (bottom - top_seen_ < count) return false;
    top_seen_ = top_of(top_.load(std::memory_order_relaxed));
    return bottom - top_seen_ >= count;
  }

 private:
  using Word = std::uint64_t;  // changes of mode << 48 | top; the mode is long where their number is odd
  static constexpr int kTopBits = 48;
  static constexpr Word kTopMask = (Word{1} << kTopBits) - 1;
  static constexpr std::int64_t kLong = 4 * kBatch;

  static std::int64_t top_of(Word word) { return static_cast<std::int64_t>(word & kTopMask); }
  static bool is_long(Word word) { return (word >> kTopBits & 1) != 0; }

  struct Ring {
    Ring(std::int64_t size, Ring* old)
        : capacity(size), slots(new Atomic<T*>[static_cast<std::size_t>(size)]), previous(old) {}
    Atomic<T*>& slot(std::int64_t index) { return slots[static_cast<std::size_t>(index & (capacity - 1))]; }
    const std::int64_t capacity;  // a power of two
    std::unique_ptr<Atomic<T*>[]> slots;
    Ring* const previous;  // a slow thief may still read an outgrown ring, so it lives as long as the deque
  };

  // Sees how many items there are: makes the mode long, or the ring larger, where that is due.
  [[gnu::noinline, gnu::cold]] Ring* look_at_top(Ring* ring, std::int64_t bottom) {
    const Word word = top_.load(std::memory_order_acquire);  // acquire: pairs with the CAS in steal()
    top_seen_ = top_of(word);
    check_at_ = ring->capacity < kLong ? ring->capacity : kLong;
    if (bottom - top_seen_ < check_at_) return ring;
    if (bottom - top_seen_ >= kLong) {
      if (!is_long(word)) change_mode(word);
      check_at_ = ring->capacity;
    }
    if (bottom - top_seen_ >= ring->capacity) {
      ring = grow(ring, top_seen_, bottom);
      check_at_ = ring->capacity;
    }
    return ring;
  }

  // Threads: owner. Returns the word in the new mode.
  [[gnu::noinline, gnu::cold]] Word change_mode(Word word) {
    Word changed;
    do changed = word + (Word{1} << kTopBits);
    while (
        !top_.compare_exchange_strong(word, changed, std::memory_order_relaxed, std::memory_order_relaxed));
    check_at_ = is_long(changed) ? ring_.load(std::memory_order_relaxed)->capacity : 0;
    return changed;
  }

  Ring* grow(Ring* ring, std::int64_t top, std::int64_t bottom) {
    Ring* larger = new Ring(2 * ring->capacity, ring);
    for (std::int64_t i = top; i < bottom; ++i)
      larger->slot(i).store(ring->slot(i).load(std::memory_order_relaxed), std::memory_order_relaxed);
    ring_.store(larger, std::memory_order_release);  // release: pairs with the acquire in steal()
    return larger;
  }

  alignas(kCacheLine) Atomic<Word> top_{0};             // written by thieves, and by the owner seldom
  alignas(kCacheLine) Atomic<std::int64_t> bottom_{0};  // written by the owner
  // The owner's.
  std::int64_t top_seen_ = 0;               // top was at least this
  std::int64_t check_at_ = 0;               // with so many items more than that, look at top again
  alignas(kCacheLine) Atomic<Ring*> ring_;  // written by the owner, seldom, and read by every thief
};

}  // namespace heddle
