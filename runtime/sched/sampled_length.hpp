// How long the pieces of some work take on average, by samples that several threads take.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

class SampledLength {
 public:
  /// So many pieces took so long together. Units: ns. Threads: any.
  void add(std::int64_t ns, std::uint64_t pieces) {
    ns_.fetch_add(ns, std::memory_order_relaxed);
    pieces_.fetch_add(pieces, std::memory_order_relaxed);
  }

  /// How long `pieces` of them take, by the samples since the last call; INT64_MAX where there are none.
  /// Threads: one, while nobody adds.
  std::int64_t take_estimate(std::uint64_t pieces) {
    const std::uint64_t sampled = pieces_.exchange(0, std::memory_order_relaxed);
    const std::int64_t ns = ns_.exchange(0, std::memory_order_relaxed);
    if (sampled == 0) return INT64_MAX;
    return static_cast<std::int64_t>(static_cast<double>(ns) * static_cast<double>(pieces) /
                                     static_cast<double>(sampled));
  }

 private:
  std::atomic<std::int64_t> ns_{0};
  std::atomic<std::uint64_t> pieces_{0};
};

}  // namespace heddle
