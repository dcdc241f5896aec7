// What the threads of a team share of a loop, or of another construct that all of them meet; and what each of
// them keeps of it.
//
// Words: iterations are numbered 0 .. trip-1 whatever the loop's own bounds and type; the compiler's ABI
// converts. A *workshare* is the state one loop, or another construct that all threads of a team meet,
// shares; a team keeps a ring of them so that threads may run ahead through constructs without a barrier. A
// thread's *turn* counts the workshares it has met; all threads meet the same ones. Invariant: slot i of the
// ring serves turns i, i+kRing, i+2·kRing …, one at a time; it moves on when the whole team has left.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cache_line.hpp"
#include "base/relaxed_atomic.hpp"
#include "sync/event_count.hpp"
#include "task/data_environment.hpp"

namespace heddle {

struct Schedule {
  ScheduleKind kind = ScheduleKind::kStatic;
  std::uint64_t chunk = 0;  // 0: none given
  std::uint64_t multiple =
      1;  // guided chunks are whole multiples of this, but for the last: schedule(simd: …)
  bool keeps_chunks = false;  // the program wants each chunk by itself
};

/// Who may use a slot of the ring: the members of one turn, from the first, which sets it up, to the last to
/// leave.
template <template <class> class Atomic = std::atomic>
class WorkshareTurn {
 public:
  static constexpr int kRing = 8;

  /// Whether the slot serves this turn. A thread kRing constructs ahead waits for the slowest.
  /// acquire: pairs with the release in leave()
  bool serves(std::uint64_t turn) const { return turn_.load(std::memory_order_acquire) == turn; }

  /// Requires: it serves the caller's turn. Sets the slot up where the caller is the first, or else waits
  /// until the first has: wait(word, is_enough, order) returns once is_enough() holds for what is loaded with
  /// that order.
  template <class SetUp, class Wait>
  void enter(SetUp&& set_up, Wait&& wait) {
    std::uint32_t state = state_.load(std::memory_order_acquire);
    if (state == kFresh && state_.compare_exchange_strong(state, kSettingUp, std::memory_order_acquire,
                                                          std::memory_order_acquire)) {
      set_up();
      state_.store(kOpen, std::memory_order_release);  // for those that wait, or come later
    } else if (state != kOpen) {
      // acquire: pairs with the release above
      wait(state_, [](std::uint32_t now) { return now == kOpen; }, std::memory_order_acquire);
    }
  }

  /// The caller, one of `size` members, uses the slot no more. The last one disposes of what the first has
  /// made.
  template <class Dispose>
  void leave(int size, Dispose&& dispose) {
    // acq_rel: the last to leave sees everybody gone before it opens the slot for its next turn
    if (departed_.fetch_add(1, std::memory_order_acq_rel) + 1 != static_cast<std::uint32_t>(size)) return;
    dispose();
    departed_.store(0, std::memory_order_relaxed);
    state_.store(kFresh, std::memory_order_relaxed);
    turn_.store(turn_.load(std::memory_order_relaxed) + kRing, std::memory_order_release);
  }

  /// Begins with this turn. Requires: no other thread knows the slot.
  void restart(std::uint64_t turn) {
    forget_departed();
    state_.store(kFresh, std::memory_order_relaxed);
    turn_.store(turn, std::memory_order_relaxed);
  }
  /// In the child of a fork, where those members are lost.
  void forget_departed() { departed_.store(0, std::memory_order_relaxed); }

 private:
  static constexpr std::uint32_t kFresh = 0, kSettingUp = 1, kOpen = 2;
  Atomic<std::uint64_t> turn_{0};  // that the slot serves
  Atomic<std::uint32_t> state_{kFresh};
  Atomic<std::uint32_t> departed_{0};
};

struct Workshare {
  alignas(kCacheLine) WorkshareTurn<> turn;
  Schedule schedule;
  std::uint64_t trip = 0;
  // What the first thread to enter made for all, and how the last to leave disposes of it.
  void* shared = nullptr;
  void (*dispose)(void* shared) = nullptr;
  alignas(kCacheLine) RelaxedAtomic<std::uint64_t> next{0};  // first iteration not handed out
  alignas(kCacheLine) Awaited<std::uint64_t> in_order;       // first iteration whose ordered region may run

  static constexpr int kRing = WorkshareTurn<>::kRing;
};

/// Sections are iterations handed out one by one, even to a team of one.
inline constexpr Schedule kSectionsSchedule{ScheduleKind::kDynamic, 1, 1, true};

struct IterationRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool is_last = false;  // holds the sequentially last iteration
};

/// A thread's part of the loop it is in.
struct LoopState {
  Workshare* shared = nullptr;  // null between loops
  std::uint64_t turn = 0;       // workshares met so far in this region
  std::uint32_t barriers = 0;  // barriers passed so far: with `turn` it numbers constructs (cancellation.hpp)
  std::uint64_t static_round = 0;
  // How the program counts: its loop variable is start + iteration * step, modulo 2^64. Kept here for the
  // compiler's ABI, per member, since a loop's body may hold another region with another loop.
  std::uint64_t start = 0;
  std::uint64_t step = 0;
  // Of a loop with an ordered clause: what this thread is executing, until its turn is passed on.
  bool is_ordered = false;
  bool owes_turn = false;
  IterationRange chunk;
  // Constructs around or beside the loop that have a workshare of their own; null where there is none.
  Workshare* doacross = nullptr;
  Workshare* companion = nullptr;  // the compiler's ABI: task reductions, memory shared by the team
};

}  // namespace heddle
