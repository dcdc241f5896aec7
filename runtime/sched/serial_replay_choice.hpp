// *Serial replay*: whether a record is executed by the member that meets it, one task after the other, or by
// its team: whichever took less the last time.
//
// Where tasks take less than it costs to hand them over, or a graph is so large that its parts come from
// memory in the order in which others end, one member is faster. Where a graph's length, or samples of its
// tasks, suggest that, the graph is replayed serially once, and from then on in the faster way. The other way
// is tried again now and then, since bodies may do more or less than they did.
//
// A record whose tasks were too small to be shared when they were recorded is replayed serially first. A team
// needs a graph, so it tries when it could have saved as much as the graph costs, or when some of the tasks
// were shared after all, so that a serial replay takes longer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sched/limits.hpp"

namespace heddle {

/// Of one graph.
class SerialReplayChoice {
 public:
  /// plain_ns: what the tasks took when they were recorded, if they were too small to be shared; 0 if not.
  explicit SerialReplayChoice(std::int64_t plain_ns = 0) : plain_ns_(plain_ns) {}

  /// Whether a team has to wait until serial replays have shown that it may be faster.
  bool begins_serially() const { return plain_ns_ != 0; }
  /// How the next execution of so many tasks, by a team of that size, is to be done; took_…() says what came
  /// of it.
  bool prefers_serial(std::size_t tasks, int team_size) {
    if (shared_ns_ == 0) {
      const std::int64_t saved_at_most = without_graph_ns_ / team_size * (team_size - 1);
      const bool is_slower = serial_ns_ != INT64_MAX && serial_ns_ > plain_ns_;
      return begins_serially() && !is_slower &&
             saved_at_most < static_cast<std::int64_t>(tasks) * limits::kGraphNs;
    }
    if (cold_ > 0) return false;
    const bool is_faster = serial_ns_ < shared_ns_;
    if (!is_faster && !may_be_faster(tasks, shared_ns_ * team_size)) return false;
    if (--until_trial_ != 0) return is_faster;
    until_trial_ = pause_;
    pause_ = std::min(4 * pause_, limits::kLongestSerialReplayPause);
    return !is_faster;
  }
  /// By a team. expected_ns: what its tasks' bodies would take one after the other; INT64_MAX: nothing new is
  /// known. Units: ns.
  void took_shared(std::int64_t ns, std::int64_t expected_ns) {
    if (expected_ns != INT64_MAX) expected_ns_ = expected_ns;
    cold_ -= cold_ > 0 ? 1 : 0;
    set(shared_ns_, ns);
  }
  /// Serially. Units: ns.
  void took_serially(std::int64_t ns) {
    set(serial_ns_, ns);
    if (shared_ns_ == 0) {
      without_graph_ns_ += serial_ns_;
      return;
    }
    // Serial trials are to cost a hundredth.
    if (serial_ns_ >= shared_ns_)
      until_trial_ = std::max(until_trial_, static_cast<std::uint32_t>(100 * (serial_ns_ / shared_ns_)));
  }

 private:
  // team_ns: what the members spent on it together.
  bool may_be_faster(std::size_t tasks, std::int64_t team_ns) const {
    if (expected_ns_ < shared_ns_) return true;
    const bool is_handing_over = expected_ns_ == INT64_MAX || expected_ns_ < team_ns / 4 * 3;
    return is_handing_over && team_ns <= static_cast<std::int64_t>(tasks) * limits::kShortNs;
  }

  void set(std::int64_t& length, std::int64_t ns) {
    const bool was_faster = serial_ns_ < shared_ns_;
    length = std::max<std::int64_t>(ns, 1);
    if (was_faster != (serial_ns_ < shared_ns_)) pause_ = until_trial_ = limits::kSerialReplayPause;
  }

  const std::int64_t plain_ns_;
  std::int64_t without_graph_ns_ = 0;  // executions before the first by a team
  int cold_ = 2;  // shared executions before one tells what they take: memory is touched for the first time
  std::int64_t shared_ns_ = 0;            // 0: none yet
  std::int64_t serial_ns_ = INT64_MAX;    // none yet
  std::int64_t expected_ns_ = INT64_MAX;  // not known
  std::uint32_t until_trial_ = 1, pause_ = limits::kSerialReplayPause;
};

}  // namespace heddle
