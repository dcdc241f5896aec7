// How long tasks are, judged by samples of their bodies: whether it matters where they run, and whether they
// are worth sharing at all.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/relaxed_atomic.hpp"
#include "sched/limits.hpp"

namespace heddle {

/// Whether tasks are long, by most samples of late. A task that creates or waits for others is long, hence a
/// vote and no mean. Threads: one.
class TaskLengthVote {
 public:
  /// Called for each task that starts. Returns whether its length is to be taken, and given to judge().
  bool is_due() { return --until_sample_ == 0; }

  /// Units: ns.
  void judge(std::int64_t length) {
    const bool was_long = counts_as_long(length);
    until_sample_ = was_long ? 1 : limits::kSeldom;  // of a long task the look at the clock is no part
    votes_ = std::clamp(votes_ + (was_long ? 1 : -1), -kCertain, kCertain);
    if (votes_ == kCertain) is_long_ = true;
    if (votes_ == -kCertain) is_long_ = false;
  }

  bool is_long() const { return is_long_; }
  static bool counts_as_long(std::int64_t length) { return length >= limits::kLongNs; }

 private:
  static constexpr int kCertain = limits::kVotesForLong;

  std::uint32_t until_sample_ = 1;
  int votes_ = 0;
  bool is_long_ = false;
};

/// Whether tasks are short, by nearly all samples of late. Threads: any; a vote that is lost does no harm.
class ShortTaskVote {
 public:
  /// Units: ns.
  void judge(std::int64_t length) {
    const int before = votes_.load();
    const int after = length < limits::kShortNs
                          ? std::min(before + 1, kCertain)
                          : std::max(before - (length < limits::kLongNs ? 1 : kCertain / 4), 0);
    if (after != before) votes_.store(after);
  }
  bool are_short() const { return votes_.load() == kCertain; }

 private:
  static constexpr int kCertain = limits::kVotesForShort;
  RelaxedAtomic<int> votes_{0};
};

/// How long the pieces of some work take on average, by samples that several threads take of it.
///
/// Words: a *round* is one execution of the work. Which pieces are samples looks random and changes from
/// round to round, since works repeat themselves.
class SampledLength {
 public:
  /// Of so many pieces.
  explicit SampledLength(std::uint32_t pieces)
      : pieces_(pieces), bits_(std::max(static_cast<int>(std::bit_width(pieces / (2 * kEnough))) - 1, 0)) {}

  /// Threads: one, while nobody samples; as for estimate().
  void begin_round() { phase_ += 0x85ebca6b; }
  /// Whether this piece, and what is executed with it, is a sample in this round.
  bool is_sample(std::uint32_t piece) const {
    const std::uint32_t mixed = piece * 0x9e3779b1 + phase_;
    return std::uint64_t{mixed} >> (32 - bits_) == 0;
  }
  /// So many pieces took so long together. Units: ns. Threads: any.
  void add(std::int64_t ns, std::uint64_t pieces) {
    ns_.fetch_add(ns);
    sampled_.fetch_add(pieces);
    samples_.fetch_add(1);
  }

  /// How long all of them take, one after the other, by the samples since it last answered; INT64_MAX where
  /// they are too few to tell. Units: ns.
  std::int64_t estimate() {
    const std::uint64_t sampled = sampled_.load();
    if (sampled == 0 || (samples_.load() < kEnough && sampled < pieces_ / 4)) return INT64_MAX;
    const auto ns = static_cast<double>(ns_.exchange(0));
    sampled_.store(0);
    samples_.store(0);
    return static_cast<std::int64_t>(ns * pieces_ / static_cast<double>(sampled));
  }

 private:
  static constexpr std::uint32_t kEnough = 16;  // samples; to take one is to write to what others write to

  const std::uint32_t pieces_;
  const int bits_;
  std::uint32_t phase_ = 0;
  RelaxedAtomic<std::int64_t> ns_{0};
  RelaxedAtomic<std::uint64_t> sampled_{0};
  RelaxedAtomic<std::uint32_t> samples_{0};
};

}  // namespace heddle
