// Who executes which iterations of a loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "simulate/workload/workload.hpp"

namespace heddle::simulate {

/// A thread's part of a static loop: of equal size, the first ones one larger, as in the runtime.
inline Share static_share(const LoopText& loop, int thread, int threads) {
  const std::int64_t least = loop.iterations / threads, more = loop.iterations % threads;
  const std::int64_t begin = thread * least + std::min<std::int64_t>(thread, more);
  return loop.share(begin, begin + least + (thread < more ? 1 : 0));
}

class LoopsHandedOut {
 public:
  struct Chunk {
    Share share;
    std::int64_t iterations;  // 0: nothing is left
  };

  /// The next chunk of a dynamic loop: single iterations, or as many together as a simulation can follow.
  Chunk next(const LoopText& loop, std::int64_t number, int threads) {
    constexpr std::int64_t kStepsAThread = 256;
    std::int64_t& next = next_[number];
    const std::int64_t begin = next;
    next = std::min(loop.iterations,
                    begin + std::max<std::int64_t>(1, loop.iterations / (kStepsAThread * threads)));
    return {loop.share(begin, next), next - begin};
  }

  /// Behind a barrier: whoever meets a loop then meets it anew.
  void forget() { next_.clear(); }

 private:
  std::unordered_map<std::int64_t, std::int64_t> next_;  // iteration, by loop
};

}  // namespace heddle::simulate
