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
#include "task/data_environment.hpp"

namespace heddle {

struct Schedule {
  ScheduleKind kind = ScheduleKind::kStatic;
  std::uint64_t chunk = 0;  // 0: none given
  std::uint64_t multiple =
      1;  // guided chunks are whole multiples of this, but for the last: schedule(simd: …)
  bool keeps_chunks = false;  // the program wants each chunk by itself
};

struct Workshare {
  alignas(kCacheLine) std::atomic<std::uint64_t> turn{0};  // whose turn the slot serves
  std::atomic<std::uint32_t> state{0};                     // kFresh, kSettingUp, kOpen
  std::atomic<std::uint32_t> departed{0};
  Schedule schedule;
  std::uint64_t trip = 0;
  // What the first thread to enter made for all, and how the last to leave disposes of it.
  void* shared = nullptr;
  void (*dispose)(void* shared) = nullptr;
  alignas(kCacheLine) std::atomic<std::uint64_t> next{0};      // first iteration not handed out
  alignas(kCacheLine) std::atomic<std::uint64_t> in_order{0};  // first iteration whose ordered region may run

  static constexpr std::uint32_t kFresh = 0, kSettingUp = 1, kOpen = 2;
  static constexpr int kRing = 8;
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
