// How much of a taskloop's range a thread keeps private, and how often it looks at the clock meanwhile.
//
// A *batch* is the chunks that a range keeps for itself, as many as last about limits::kBatchUs. Its size is
// a guess, corrected at each look at the clock: after one chunk, two, four, and then every
// limits::kMostBetweenLooks. The loop's next range begins with what this one has learned.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sched/limits.hpp"

namespace heddle {

/// Of one range, from its first chunk to its last. Clock: now() in ticks, and ticks_in(ns).
template <class Clock>
class ChunkBatch {
 public:
  /// Begins a range at chunk `first`, with the loop's newest guess of a batch's size.
  ChunkBatch(std::uint64_t first, std::uint64_t guess)
      : size_(guess),
        guess_(guess),
        first_(first),
        looked_at_(first),
        began_(Clock::now()),
        looked_(began_) {}

  /// In chunks, at least 1: those behind them are for other threads.
  std::uint64_t size() const { return size_; }

  /// The chunk before which the thread looks at the clock again, in a range that ends at `last`.
  std::uint64_t next_look(std::uint64_t last) const {
    return looked_at_ + std::min(between_looks_, last - looked_at_);
  }

  /// The chunks before `reached` have been executed.
  void look(std::uint64_t reached) {
    const std::uint64_t now = Clock::now();
    size_ = that_last_a_batch(reached - looked_at_, now - looked_);
    looked_at_ = reached;
    looked_ = now;
    between_looks_ = std::min(2 * between_looks_, limits::kMostBetweenLooks);
  }

  /// The guess for the loop's next range, by all chunks of this one up to the last look. It grows by no more
  /// than limits::kMostGrowth times, since the loop's first chunks may be shorter than others.
  std::uint64_t better_guess() const {
    return std::min(that_last_a_batch(looked_at_ - first_, looked_ - began_), limits::kMostGrowth * guess_);
  }

 private:
  static std::uint64_t that_last_a_batch(std::uint64_t chunks, std::uint64_t ticks) {
    const std::uint64_t batch = Clock::ticks_in(limits::kBatchUs * 1000);
    return std::max<std::uint64_t>(chunks * batch / std::max<std::uint64_t>(ticks, 1), 1);
  }

  std::uint64_t size_, guess_, between_looks_ = 1;  // chunks
  std::uint64_t first_, looked_at_;                 // by number in the loop
  std::uint64_t began_, looked_;                    // ticks
};

}  // namespace heddle
