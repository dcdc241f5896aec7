// How far a task has come in what several threads have a hand in: its event, its creator's wait, its handle.
//
// Words
//   released   of an undeferred task: its predecessors are complete
//   claimed    of a task with a handle: by the thread that starts it
//
// Invariant: of two that each say something here and look for the other's word, exactly one comes second and
// sees it: of the end of the body and the event, of the predecessors' end and a creator that leaves its
// thread.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

template <template <class> class Atomic = std::atomic>
class TaskStatus {
 public:
  // -- the event: of a detach clause, or those of a library, which ExternalState counts

  bool is_fulfilled() const { return has(word_.load(std::memory_order_acquire), kFulfilled); }
  /// Before anybody else knows the task, or by the thread that ends its body.
  void fulfill_early() { word_.fetch_or(kFulfilled, std::memory_order_relaxed); }

  /// What a thread that fulfils the event has to do then.
  enum class Fulfilled : std::uint8_t { kNothing, kCompletes, kWakesCreator };
  /// Where the creator is to be woken the task may be gone.
  Fulfilled fulfill() {
    const Bits before = word_.fetch_or(kFulfilled, std::memory_order_acq_rel);
    if (has(before, kCreatorWaits)) return Fulfilled::kWakesCreator;
    return has(before, kBodyReturned) ? Fulfilled::kCompletes : Fulfilled::kNothing;
  }
  /// The body has returned. Returns whether the event has come: then the task is complete.
  bool end_body() { return has(word_.fetch_or(kBodyReturned, std::memory_order_acq_rel), kFulfilled); }

  // Threads: the one that executes the task.
  bool has_events() const { return has(word_.load(std::memory_order_relaxed), kHasEvents); }
  void expect_events() { word_.fetch_or(kHasEvents, std::memory_order_relaxed); }
  void forget_events() { word_.fetch_and(static_cast<Bits>(~kHasEvents), std::memory_order_relaxed); }

  // -- the creator of an undeferred task

  /// It completes the task, and is woken when the event comes. Before anybody else knows the task.
  void let_creator_wait() { word_.store(kCreatorWaits, std::memory_order_relaxed); }
  bool creator_waits() const { return has(word_.load(std::memory_order_relaxed), kCreatorWaits); }

  /// Returns whether the creator has left its thread, and is to be resumed. Otherwise the task may be gone.
  bool release() { return has(word_.fetch_or(kReleased, std::memory_order_acq_rel), kCreatorLeft); }
  bool is_released() const { return has(word_.load(std::memory_order_acquire), kReleased); }
  /// The creator leaves its thread. Returns whether the task was released before: then nobody resumes it.
  bool let_creator_leave() { return has(word_.fetch_or(kCreatorLeft, std::memory_order_acq_rel), kReleased); }

  // -- a handle

  void make_ready() { word_.fetch_or(kReady, std::memory_order_release); }
  bool is_ready() const { return has(word_.load(std::memory_order_acquire), kReady); }
  /// Returns whether the caller is the one that starts the task. Both that may knew it as ready before.
  bool claim() { return !has(word_.fetch_or(kClaimed, std::memory_order_relaxed), kClaimed); }
  bool is_claimed() const { return has(word_.load(std::memory_order_relaxed), kClaimed); }

 private:
  using Bits = std::uint16_t;
  static constexpr Bits kBodyReturned = 1, kFulfilled = 2, kReleased = 4, kReady = 8, kClaimed = 16,
                        kCreatorLeft = 32, kHasEvents = 64, kCreatorWaits = 128;
  static bool has(Bits word, Bits bit) { return (word & bit) != 0; }

  Atomic<Bits> word_{0};
};

}  // namespace heddle
