// Sharing the iterations of a loop among the threads of a team (OpenMP 5.2, section 11.5).
//
// Words: iterations are numbered 0 .. trip-1 whatever the loop's own bounds and type; the compiler's ABI
// converts. A *workshare* is the state one loop shares; a team keeps a ring of them so that threads may run
// ahead through loops without a barrier. A thread's *turn* counts the workshares it has met; all threads meet
// the same ones. Invariant: slot i of the ring serves turns i, i+kRing, i+2·kRing …, one at a time; it moves
// on when the whole team has left.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cache_line.hpp"
#include "task/data_environment.hpp"

namespace heddle {

struct Member;

struct Schedule {
  ScheduleKind kind = ScheduleKind::kStatic;
  std::uint64_t chunk = 0;  // 0: none given
};

struct Workshare {
  alignas(kCacheLine) std::atomic<std::uint64_t> turn{0};  // whose turn the slot serves
  std::atomic<std::uint32_t> state{0};                     // kFresh, kSettingUp, kOpen
  std::atomic<std::uint32_t> departed{0};
  Schedule schedule;
  std::uint64_t trip = 0;
  alignas(kCacheLine) std::atomic<std::uint64_t> next{0};  // first iteration not handed out

  static constexpr std::uint32_t kFresh = 0, kSettingUp = 1, kOpen = 2;
  static constexpr int kRing = 8;
};

/// A thread's part of the loop it is in.
struct LoopState {
  Workshare* shared = nullptr;  // null between loops
  std::uint64_t turn = 0;       // workshares met so far in this region
  std::uint64_t static_round = 0;
  // How the program counts: its loop variable is start + iteration * step, modulo 2^64. Kept here for the
  // compiler's ABI, per member, since a loop's body may hold another region with another loop.
  std::uint64_t start = 0;
  std::uint64_t step = 0;
};

struct IterationRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool is_last = false;  // holds the sequentially last iteration
};

/// Enters a loop of `trip` iterations. All threads of the team must enter with the same arguments.
void loop_enter(Member& me, Schedule schedule, std::uint64_t trip);

/// Hands out the next iterations to the calling thread. Returns false when there are none left for it.
bool loop_next(Member& me, IterationRange* range);

/// Leaves the loop; no barrier. Harmless where the thread is in no loop.
void loop_leave(Member& me);

/// The calling thread's only range of a static schedule without chunk: at most one iteration more than any
/// other's.
IterationRange static_share(std::uint64_t trip, int number, int team_size);

/// First thread of the team to meet this single construct? True for exactly one (OpenMP 5.2, section 11.1).
bool single_claim(Member& me);

}  // namespace heddle
