// Simulated time, and the events in it.
//
// Invariant: events of the same moment happen in the order in which they were planned. So the same input
// gives the same execution.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>

namespace heddle::simulate {

/// Since the begin. Units: ps, so that sums of many costs of some ns are exact.
using Time = std::int64_t;

inline constexpr double kPsInS = 1e12;

inline Time from_ns(double ns) {
  return static_cast<Time>(ns * 1000 + 0.5);
}
inline Time from_s(double s) {
  return static_cast<Time>(std::llround(s * kPsInS));
}
inline double to_ns(Time time) {
  return static_cast<double>(time) / 1000;
}

/// What the runtime's policies take for their clock; its ticks are ps.
struct SimulatedClock {
  static std::uint64_t now() { return static_cast<std::uint64_t>(present); }
  static std::uint64_t ticks_in(std::uint64_t ns) { return ns * 1000; }
  static inline thread_local Time present = 0;
};

template <class Event>
class Agenda {
 public:
  void plan(Time at, Event event) { queue_.push({at, planned_++, event}); }
  [[nodiscard]] bool is_empty() const { return queue_.empty(); }
  /// When the first happens. Requires: not empty.
  [[nodiscard]] Time next_at() const { return queue_.top().at; }
  /// Moves the clock on.
  Event next() {
    const Entry entry = queue_.top();
    queue_.pop();
    SimulatedClock::present = entry.at;
    ++happened_;
    return entry.event;
  }
  [[nodiscard]] std::uint64_t happened() const { return happened_; }

 private:
  struct Entry {
    Time at;
    std::uint64_t number;
    Event event;
    bool operator<(const Entry& other) const {
      return at != other.at ? at > other.at : number > other.number;
    }
  };
  std::priority_queue<Entry> queue_;
  std::uint64_t planned_ = 0, happened_ = 0;
};

/// A word that several threads write: they queue for its cache line.
class SharedLine {
 public:
  /// Returns when a thread that wants it now has done with it.
  Time use(Time takes) {
    free_at_ = std::max(free_at_, SimulatedClock::present) + takes;
    return free_at_;
  }

 private:
  Time free_at_ = 0;
};

}  // namespace heddle::simulate
