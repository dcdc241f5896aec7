// One life after the other of an event: made, perhaps waited for, fulfilled once, closed.
//
// Words: an event is *open* from its making until the task that waited for it closes it; its *waiter* is what
// stands there meanwhile, at most one. A *life* numbers how often the event was opened, so that a
// thread with an old handle is told from one with this life's.
//
// Invariant: of a begin_wait() and a fulfill() of the same life exactly one comes second: either begin_wait()
// returns false, or fulfill() hands the waiter out, never both and never twice.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

template <class Waiter, template <class> class Atomic = std::atomic>
class EventWord {
 public:
  static_assert(alignof(Waiter) >= 4);
  using Life = std::uint16_t;  // after 65,536 lives an old handle is mistaken for a new one

  /// Requires: it is closed, and the caller alone knows it. Returns this life.
  Life open() {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);
    word_.store(word | kOpen, std::memory_order_relaxed);
    return life_of(word);
  }

  Life life() const { return life_of(word_.load(std::memory_order_relaxed)); }
  bool is_open(Life life) const {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);
    return (word & kOpen) != 0 && life_of(word) == life;
  }
  /// acquire: pairs with the release in fulfill()
  bool is_fulfilled() const { return (word_.load(std::memory_order_acquire) & kFulfilled) != 0; }
  /// The waiter now; nullptr where nobody waits. Exact only while nothing changes: for reports.
  Waiter* waiter() const { return waiter_of(word_.load(std::memory_order_acquire)); }

  enum class Wait { kWaits, kFulfilled, kTaken };

  /// `who` waits from now on, and may be handed out before this returns. kFulfilled: there is nothing to wait
  /// for. kTaken: another waits already.
  /// Requires: it is open. Ordering: what happened before is visible to the thread that is handed the waiter.
  Wait begin_wait(Waiter& who) {
    std::uint64_t word =
        word_.load(std::memory_order_acquire);  // acquire: pairs with the release in fulfill()
    do {
      if ((word & kFulfilled) != 0) return Wait::kFulfilled;
      if (waiter_of(word) != nullptr) return Wait::kTaken;
    } while (!word_.compare_exchange_weak(word, word | reinterpret_cast<std::uint64_t>(&who),
                                          std::memory_order_release, std::memory_order_acquire));
    return Wait::kWaits;
  }

  /// Returns false where this life's event is fulfilled or closed already. `*waiter`: the one that has waited
  /// and is now the caller's to resume, or nullptr. The event may be in its next life when this returns.
  /// Threads: any. Ordering: what happened before is visible to the thread that waits, or looks later.
  bool fulfill(Life life, Waiter** waiter) {
    std::uint64_t word = word_.load(std::memory_order_relaxed);
    do {
      if (life_of(word) != life || (word & kOpen) == 0 || (word & kFulfilled) != 0) return false;
    } while (!word_.compare_exchange_weak(word, (word & ~kPointer) | kFulfilled, std::memory_order_acq_rel,
                                          std::memory_order_relaxed));
    *waiter = waiter_of(word);
    return true;
  }

  /// Requires: it is fulfilled, and the caller has waited for it.
  void close() {
    const std::uint64_t word = word_.load(std::memory_order_relaxed);
    word_.store(std::uint64_t{static_cast<Life>(life_of(word) + 1)} << kLifeShift, std::memory_order_relaxed);
  }

 private:
  static constexpr std::uint64_t kOpen = 1;
  static constexpr std::uint64_t kFulfilled = 2;
  static constexpr int kLifeShift = 48;
  static constexpr std::uint64_t kPointer = (std::uint64_t{1} << kLifeShift) - 4;

  static Life life_of(std::uint64_t word) { return static_cast<Life>(word >> kLifeShift); }
  static Waiter* waiter_of(std::uint64_t word) { return reinterpret_cast<Waiter*>(word & kPointer); }

  Atomic<std::uint64_t> word_{0};
};

}  // namespace heddle
