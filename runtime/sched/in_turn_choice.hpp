// Whether a recorded graph is executed by a team, or by the member that meets it alone, one task after the
// other: which took less, the last time.
//
// Where tasks take less than it costs to hand them over, one member is faster. A graph whose shared
// executions take that little for each task is tried so, and after that the faster way is taken; the other
// one is tried again now and then, since bodies may do more or less than they did.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heddle {

/// Of one graph.
class InTurnChoice {
 public:
  /// How the next execution of so many tasks, by a team of that size, is to be done; took() says what came of
  /// it.
  bool prefers_turn(std::size_t tasks, int team_size) {
    if (shared_ns_ == 0) return false;
    const bool is_faster = in_turn_ns_ < shared_ns_;
    if (!is_faster && shared_ns_ * team_size > static_cast<std::int64_t>(tasks) * kTinyNs) return false;
    if (--until_trial_ != 0) return is_faster;
    until_trial_ = pause_;
    pause_ = std::min(4 * pause_, kLongestPause);
    return !is_faster;
  }
  /// Units: ns.
  void took(bool was_in_turn, std::int64_t ns) {
    const bool was_faster = in_turn_ns_ < shared_ns_;
    (was_in_turn ? in_turn_ns_ : shared_ns_) = std::max<std::int64_t>(ns, 1);
    const bool is_faster = in_turn_ns_ < shared_ns_;
    if (was_faster != is_faster) pause_ = until_trial_ = kShortestPause;
    // What trials in turn cost is to be a hundredth.
    if (was_in_turn && !is_faster)
      until_trial_ = std::max(until_trial_, static_cast<std::uint32_t>(100 * (in_turn_ns_ / shared_ns_)));
  }

 private:
  // Of a processor's time, for each task where its body is next to nothing.
  static constexpr std::int64_t kTinyNs = 300;
  static constexpr std::uint32_t kShortestPause = 8, kLongestPause = 1024;  // executions

  std::int64_t shared_ns_ = 0;           // 0: none yet
  std::int64_t in_turn_ns_ = INT64_MAX;  // none yet
  std::uint32_t until_trial_ = 1, pause_ = kShortestPause;
};

}  // namespace heddle
