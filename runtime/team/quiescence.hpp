// Whether a team is quiescent: all explicit tasks that it has created are complete.
//
// While a team has tasks, each of its members that comes to a barrier *reports* that it is idle, together
// with the tasks that it has created less those that it has completed. Before it executes anything it takes
// that back. Where all are idle and their reports make nought, less the tasks that others have completed, the
// team is quiescent. Reports of four members share a cache line, which they write seldom: tasks themselves
// are counted by each member on a line of its own. Source of the idea: Mattern, "Algorithms for distributed
// termination detection", Distributed Computing 2, 1987.
//
// Why two looks at each report are enough: both find the same, and each idle. A task whose end is in a report
// of the first look was created before, by a member that was busy then; so the second look at that member's
// report, which is idle, includes its creation. Hence the tasks that ended are some of those created, and as
// the sums agree they are all of them. A task that is in no report was created by one that is in one, and has
// not ended.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/cache_line.hpp"
#include "sys/fence.hpp"

namespace heddle {

/// Explicit tasks that a member has created, and that it has completed, since its team was made.
///
/// A task is counted as created before it can run, and as finished after everything that its completion
/// touches. Others learn the counts by reports.
template <template <class> class Atomic = std::atomic>
class TaskCounts {
 public:
  // Threads: the member's.
  void add_created(std::uint64_t count) { add(created_, count); }
  void add_finished(std::uint64_t count) { add(finished_, count); }

  // Threads: any.
  std::uint64_t created() const { return created_.load(std::memory_order_relaxed); }
  std::uint64_t finished() const { return finished_.load(std::memory_order_relaxed); }

 private:
  static void add(Atomic<std::uint64_t>& to, std::uint64_t count) {
    to.store(to.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
  Atomic<std::uint64_t> created_{0};
  Atomic<std::uint64_t> finished_{0};
};

/// Those of the team's tasks that threads outside it complete: of another team, or no team's.
template <template <class> class Atomic = std::atomic>
class OutsideCount {
 public:
  // Threads: any.
  void add(std::uint64_t count) {
    finished_.fetch_add(count, std::memory_order_release);  // release: pairs with the acquire in finished()
  }
  std::uint64_t finished() const { return finished_.load(std::memory_order_acquire); }

 private:
  Atomic<std::uint64_t> finished_{0};
};

/// reports_a_line: of how many members.
template <template <class> class Atomic = std::atomic, int reports_a_line = 4>
class Quiescence {
 public:
  /// For teams of so many members at most, all of which are busy.
  explicit Quiescence(int places) : places_(places), lines_(new Line[line_of(places - 1) + 1]) {}

  // -- the member's of that number

  /// It executes nothing. balance: the tasks that it has created, less those that it has completed.
  void is_idle(int number, std::uint64_t balance) {
    write(number, kIdle, static_cast<std::uint32_t>(balance));
  }
  /// It may create tasks from now on.
  void is_busy(int number) { write(number, 0, balance_of(report(number).load(std::memory_order_relaxed))); }

  /// Whether the team is quiescent. A member asks after it has reported that it is idle, and each time that
  /// finished_outside() has changed. Of those that ask the last one finds it.
  /// size: the members that take part. finished_outside(): tasks that others have completed.
  /// Ordering: all that the tasks did is visible where it is.
  template <class FinishedOutside>
  bool is_reached(int number, int size, FinishedOutside&& finished_outside) const {
    Fences<Atomic>::full();  // of two members that ask at the same time one sees that both are idle
    // Most often one of the nearest is busy, and will ask itself.
    const int first = number - number % reports_a_line;
    std::uint32_t balance = 0, versions = 0;
    for (int i = 0; i < places_; ++i) {
      const int other = (first + i) % places_;
      const std::uint64_t seen = report(other).load(std::memory_order_acquire);
      balance += balance_of(seen);
      if (other >= size) continue;  // it may still leave the barrier of the last region; its balance stays
      if ((seen & kIdle) == 0) return false;
      versions += version_of(seen);
    }
    if (balance != static_cast<std::uint32_t>(finished_outside())) return false;
    for (int i = 0; i < size; ++i) versions -= version_of(report(i).load(std::memory_order_relaxed));
    return versions == 0;
  }

  /// Requires: no other thread knows the team.
  void restart(int number, std::uint64_t balance) {
    report(number).store(static_cast<std::uint32_t>(balance), std::memory_order_relaxed);
  }

 private:
  // A number that each report moves on, whether the member is idle, and its balance. Sums of balances are
  // right as long as there are less than 2^32 tasks.
  using Report = std::uint64_t;
  static constexpr Report kIdle = Report{1} << 32, kVersion = Report{1} << 33;
  static std::uint32_t balance_of(Report report) { return static_cast<std::uint32_t>(report); }
  static std::uint32_t version_of(Report report) { return static_cast<std::uint32_t>(report >> 33); }

  struct alignas(kCacheLine) Line {
    Atomic<Report> reports[reports_a_line]{};  // NOLINT: in place
  };

  static constexpr std::size_t line_of(int number) {
    return static_cast<std::size_t>(number / reports_a_line);
  }
  Atomic<Report>& report(int number) const {
    return lines_[line_of(number)].reports[static_cast<std::size_t>(number % reports_a_line)];
  }
  // release: pairs with the acquire in is_reached()
  void write(int number, Report idle, std::uint32_t balance) {
    const Report before = report(number).load(std::memory_order_relaxed);
    report(number).store(((before | (kVersion - 1)) + 1) | idle | balance, std::memory_order_release);
  }

  const int places_;
  const std::unique_ptr<Line[]> lines_;
};

}  // namespace heddle
