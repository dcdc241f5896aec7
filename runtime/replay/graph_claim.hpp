// Which encounter may use a graph's slot, and whether the slot may be evicted.
//
// Words: see replay/graph_table.hpp. Invariant: what a slot holds belongs to the encounter that has claimed
// it; the next encounter, or the thread that evicts the slot, knows all that was done with it before.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

template <template <class> class Atomic = std::atomic>
class GraphClaim {
 public:
  enum class State : std::uint8_t { kEmpty, kBusy, kRecorded, kPipelined, kRefused };

  /// Requires: the table's lock, under which alone a slot is evicted; or that it is pinned.
  void pin() { pins_.fetch_add(1, std::memory_order_relaxed); }
  /// The encounter does not use it any more. Threads: any. release: pairs with the acquire in is_pinned()
  void unpin() { pins_.fetch_sub(1, std::memory_order_release); }
  /// Ordering: where nobody has it pinned, all that was done with it is visible. Requires: the table's lock.
  bool is_pinned() const { return pins_.load(std::memory_order_acquire) != 0; }

  enum class Answer : std::uint8_t { kClaimed, kTaken, kRefused };
  /// kClaimed: it is the caller's until it gives it back. kTaken: it is another encounter's. Requires: it is
  /// pinned.
  Answer claim() {
    State before = state_.load(std::memory_order_relaxed);
    if (before == State::kRefused && !has_reset()) return Answer::kRefused;
    if (before == State::kBusy || before == State::kPipelined) return Answer::kTaken;
    // acquire: pairs with the release in give_back()
    return state_.compare_exchange_strong(before, State::kBusy, std::memory_order_acquire,
                                          std::memory_order_relaxed)
               ? Answer::kClaimed
               : Answer::kTaken;
  }
  /// Ends the claim; kPipelined: another function will, in its stead.
  void give_back(State now) { state_.store(now, std::memory_order_release); }
  /// Whether the slot's record may be changing. Threads: any.
  bool is_busy() const { return state_.load(std::memory_order_acquire) == State::kBusy; }

  // The record is not to be used any more: graph_reset, in this encounter or in one of another slot.
  void reset() { is_reset_.store(true, std::memory_order_relaxed); }
  bool has_reset() const { return is_reset_.load(std::memory_order_relaxed); }
  bool take_reset() { return is_reset_.exchange(false, std::memory_order_relaxed); }

 private:
  Atomic<int> pins_{0};
  Atomic<State> state_{State::kEmpty};
  Atomic<bool> is_reset_{false};
};

}  // namespace heddle
