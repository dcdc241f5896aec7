// A team's barrier.
//
// Members arrive by a combining tree (Yew, Tzeng and Lawrie, "Distributing hot-spot addressing in large-scale
// multiprocessors", IEEE Transactions on Computers, 1987): the last one of a group arrives for it at the next
// level. The last one of all knows that all are there, and lets each group go by a word of its own; or it
// tells them that all are there, where the team's tasks may not be complete, and the member that finds that
// they are lets them go (team/barrier_wait.hpp). So many threads write no word.
//
// Groups are pairs, and have one cache line each. Of two threads the first waits at a line that it has, and
// the second takes it once. Measured: `barrier` of two threads takes 0.85 of the time that it takes with a
// line for the count and one for the word; 16 simulated processors 620 ns, and with groups of four 1030;
// groups of four that have two lines 520 (bench/studies/two_libraries.py, cache_lines.py).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/cache_line.hpp"
#include "sys/fence.hpp"

namespace heddle {

/// groups_of: how many members, or groups of the level below, make one group.
template <template <class> class Atomic = std::atomic, int groups_of = 2>
class TreeBarrier {
  struct Group;

 public:
  using Fences = heddle::Fences<Atomic>;

  /// What a member knows of the barrier that it has come to.
  struct Arrival {
    const Group* group;         // the member's
    std::uint64_t before;       // its word
    int size;                   // how many members come
    bool is_last = false;       // of them
    bool is_announced = false;  // that all are there
    std::uint64_t passed = 0;   // barriers before this one; for the last one, or once it is announced
  };

  /// For teams of so many members at most.
  explicit TreeBarrier(int places) : places_(places), groups_(new Group[group_count(places)]) {}

  /// Requires: the team that comes has `size` members, of which this is `number`.
  /// Ordering: all that the others did before they came is visible to the last.
  Arrival arrive(int number, int size) {
    Group* level = groups_.get();
    const Group& own = level[number / groups_of];
    Arrival arrival{&own, own.word.load(std::memory_order_relaxed), size};
    for (int places = places_, here = number, all = size; all > 1;) {
      const int group = here / groups_of;
      if (!is_last_of(level[group], std::min(groups_of, all - group * groups_of))) return arrival;
      level += groups_in(places);
      places = groups_in(places);
      all = groups_in(all);
      here = group;
    }
    arrival.is_last = true;
    arrival.passed = groups_[0].word.load(std::memory_order_relaxed);  // that group is part of every barrier
    return arrival;
  }

  /// Lets all know that all are there. For the member that came last.
  void announce(Arrival& arrival) {
    arrival.is_announced = true;
    notify(arrival.passed | static_cast<std::uint64_t>(arrival.size), arrival.size);
  }

  /// Whether all are there: the last one knows, and the others once that was announced.
  /// Ordering: all that they did before they came is visible.
  static bool are_all_here(Arrival& arrival) {
    if (arrival.is_last || arrival.is_announced) return true;
    // acquire: pairs with the release in notify()
    const std::uint64_t word = arrival.group->word.load(std::memory_order_acquire);
    if (size_in(word) != arrival.size) return false;  // a later barrier of as many members needs this one
    arrival.is_announced = true;
    arrival.passed = word & ~kSizeMask;
    return true;
  }

  /// Lets all go. Returns whether the caller did: one member does. Requires: all are there.
  bool pass(const Arrival& arrival) {
    if (arrival.is_announced) {
      std::uint64_t here = arrival.passed | static_cast<std::uint64_t>(arrival.size);
      if (!groups_[0].word.compare_exchange_strong(here, arrival.passed | kPassing, std::memory_order_relaxed,
                                                   std::memory_order_relaxed))
        return false;
    }
    notify(arrival.passed + kOne, arrival.size);
    return true;
  }

  /// Ordering: all that the others did before they came is visible where it is.
  static bool is_passed(const Arrival& arrival) {
    // acquire: pairs with the release in notify()
    const std::uint64_t word = arrival.group->word.load(std::memory_order_acquire);
    return word != arrival.before && size_in(word) != arrival.size && size_in(word) != kPassing;
  }

  /// A number that is hardly the same after another arrival. Threads: any.
  std::uint64_t progress() const {
    constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;  // odd, so that no group's count gets lost
    std::uint64_t mixed = groups_[0].word.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < group_count(places_); ++i)
      mixed = mixed * kFactor + groups_[i].arrivals.load(std::memory_order_relaxed);
    return mixed;
  }

  /// A barrier that some may have come to is passed, and nobody is at the next one: after a cancellation, and
  /// in the child of a fork, whose thread may be in it.
  /// Requires: no other thread is at it.
  void abandon() {
    std::uint64_t last = 0;
    for (std::size_t i = 0; i < group_count(places_); ++i)
      last = std::max(last, groups_[i].word.load(std::memory_order_relaxed) & ~kSizeMask);
    for (std::size_t i = 0; i < group_count(places_); ++i) {
      groups_[i].arrivals.store(0, std::memory_order_relaxed);
      groups_[i].word.store(last + kOne, std::memory_order_relaxed);
    }
  }

 private:
  // The number of barriers passed, and below it, once all members are at the next one, how many they are; or
  // that a member is about to let them go.
  static constexpr std::uint64_t kSizeMask = 0xffffu, kOne = kSizeMask + 1;
  static constexpr int kPassing = 0xffff;
  static int size_in(std::uint64_t word) { return static_cast<int>(word & kSizeMask); }

  struct Group {
    alignas(kCacheLine) Atomic<std::uint32_t> arrivals{0};
    Atomic<std::uint64_t> word{0};  // of a group of members
  };

  static constexpr int groups_in(int count) { return (count + groups_of - 1) / groups_of; }
  static constexpr std::size_t group_count(int places) {
    std::size_t sum = 1;
    for (; places > groups_of; places = groups_in(places)) sum += static_cast<std::size_t>(groups_in(places));
    return sum;
  }

  // The last one leaves the group as the next barrier needs it: nobody comes to that before the member that
  // lets all go has seen this.
  // acq_rel: with one another, so that the last one has seen what all have done.
  static bool is_last_of(Group& group, int size) {
    if (size == 1) return true;
    const auto others = static_cast<std::uint32_t>(size - 1);
    if (group.arrivals.fetch_add(1, std::memory_order_acq_rel) != others) return false;
    group.arrivals.store(0, std::memory_order_relaxed);
    return true;
  }

  // The first group comes last. A member that learns there that all are there may let all go at once; and the
  // primary thread, which goes, opens a region whose members may be more, and in a group of this one.
  void notify(std::uint64_t word, int size) {
    for (int group = groups_in(size) - 1; group >= 0; --group)
      groups_[static_cast<std::size_t>(group)].word.store(word, std::memory_order_release);
  }

  const int places_;
  const std::unique_ptr<Group[]> groups_;
};

}  // namespace heddle
