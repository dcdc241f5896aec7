// Simulated time: which steps there are, and how long each is.
//
// Words: a *step* advances every patch by the same time. Its *copy* is the one of each patch's two that holds
// the state at its begin; the other becomes the state at its end. The *limit* is the longest step that the
// state allows, by the CFL condition.
//
// Invariant: the steps are the same whoever executes them: their lengths follow from limits alone, which are
// least values of all patches.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <optional>

namespace heddle::wave {

struct Step {
  int number = 0;  // of the run, from 0
  int copy = 0;
  double begin = 0.0;
  double length = 0.0;
};

/// As many steps as it takes.
inline constexpr int kNoLimit = std::numeric_limits<int>::max();

class Clock {
 public:
  /// Called when a step is complete, in order, by one thread at a time.
  using Watch = std::function<void(const Step&)>;

  /// Steps from `begin` to `end`, no more than `most`, of which `first` is the number of the first.
  Clock(double begin, double end, int first, int copy, int most, double limit, const Watch& watch)
      : next_{first, copy, begin, 0.0}, end_(end), left_(most), limit_(limit), watch_(watch) {}

  /// The next step; none when the end is reached, or there were as many as asked for. limit: that of the
  /// state now, so the step before has to be complete.
  /// None, too, where the state allows no step (is_unphysical()).
  std::optional<Step> next(double limit) {
    if (is_running_) complete();
    limit_ = limit;
    if (next_.begin >= end_ || left_ <= 0) return std::nullopt;
    if (is_unphysical()) return std::nullopt;
    const bool is_last = next_.begin + limit >= end_;
    next_.length = is_last ? end_ - next_.begin : limit;
    is_running_ = true;
    --left_;
    return next_;
  }

  /// The state has no eigenvalues, as a gas of negative pressure.
  [[nodiscard]] bool is_unphysical() const { return !(limit_ > 0.0); }
  /// Of the state now.
  [[nodiscard]] double limit() const { return limit_; }
  [[nodiscard]] double time() const { return next_.begin; }
  /// Whether another step follows the one that next() has returned, if the state allows one then.
  [[nodiscard]] bool has_step_after() const { return left_ > 0 && next_.begin + limit_ < end_; }
  /// How many steps there may still be.
  [[nodiscard]] int left() const { return left_; }
  /// What the next step's would be.
  [[nodiscard]] int copy() const { return next_.copy; }
  /// Complete ones of the run.
  [[nodiscard]] int steps() const { return next_.number; }

 private:
  void complete() {
    if (watch_) watch_(next_);
    const bool is_last = next_.begin + limit_ >= end_;
    next_.begin = is_last ? end_ : next_.begin + next_.length;
    next_.copy = 1 - next_.copy;
    ++next_.number;
    is_running_ = false;
  }

  Step next_;
  double end_;
  int left_;
  double limit_;
  const Watch& watch_;
  bool is_running_ = false;
};

}  // namespace heddle::wave
