// How the workers of a team learn that its primary thread has opened a region, and when they are dismissed.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/cache_line.hpp"
#include "base/plain.hpp"
#include "sys/fp_modes.hpp"

namespace heddle {

struct Member;
using RegionBody = void (*)(Member&, void* argument);

/// What each member of a region executes: a function, by another one that knows how to call it.
struct RegionCode {
  RegionCode() = default;
  RegionCode(void (*how)(Member&, const RegionCode&), void (*what)(), void* with)
      : execute(how), function(what), argument(with) {}
  RegionCode(RegionBody body, void* with)
      : RegionCode(
            [](Member& me, const RegionCode& code) {
              reinterpret_cast<RegionBody>(code.function)(me, code.argument);
            },
            reinterpret_cast<void (*)()>(body), with) {}

  void (*execute)(Member&, const RegionCode&) = nullptr;
  void (*function)() = nullptr;
  void* argument = nullptr;
};

/// What a member needs to begin with its part in a region.
struct RegionStart {
  RegionCode code;
  std::uint64_t turn = 0;          // LoopState::turn at the start of the region
  std::uint64_t single = 0;        // Member::singles_met likewise
  std::uint32_t barriers = 0;      // LoopState::barriers likewise
  bool is_in_final_task = false;   // the region, whose implicit tasks are final then
  bool displays_affinity = false;  // members of this region say where they run
  bool has_fp_modes = false;       // of the thread that has opened this region, for the others to adopt
  FpModes fp_modes;
};
static_assert(sizeof(RegionStart) + sizeof(std::uint64_t) <= kCacheLine, "a group's line has room for both");

/// A word says how often the team was opened, and for how many members. Groups of members have a line each,
/// which tells them so, and what they need to begin; one word for all would come to one processor after the
/// other. All else that a region needs is written by the primary thread before it opens the region, and read
/// by the others after they see it open.
template <template <class> class Atomic = std::atomic, class Start = RegionStart, int groups_of = 4>
class RegionOpening {
  using StartData = typename Plain<Atomic>::template Data<Start>;

 public:
  /// An opening as a member has seen it: no two are the same.
  using Seen = std::uint64_t;

  /// For teams of so many members at most.
  explicit RegionOpening(int places) : groups_(group_of(places - 1) + 1), group_(new Group[groups_]) {}

  // -- the primary thread's

  /// Opens a region for so many members. Those that had no part in the last region, and have none in this,
  /// may not learn of it.
  void open(int size, const Start& start) {
    const int notified = std::max(size, size_of(last()));
    const Seen now = next(size);
    for (std::size_t i = 0; i <= group_of(notified - 1); ++i) {
      if (i <= group_of(size - 1)) group_[i].start = start;
      notify(group_[i], now);
    }
  }
  /// Dismisses the workers.
  void dismiss() {
    const Seen now = next(0);
    for (std::size_t i = 0; i < groups_; ++i) notify(group_[i], now);
  }
  /// Makes it this one. Requires: no other thread knows the team.
  void restart(Seen opening) {
    last_.store(opening, std::memory_order_relaxed);
    for (std::size_t i = 0; i < groups_; ++i) group_[i].opening.store(opening, std::memory_order_relaxed);
  }

  // -- any thread's, of the member of that number

  /// Whether there was another for it. A thread that announces its sleep asks after that, as Parking wants
  /// it.
  bool is_new_to(int number, Seen seen) const { return opening(number) != seen; }
  Seen opening(int number) const { return of(number).opening.load(std::memory_order_relaxed); }
  /// The same. Ordering: what the region needs is visible.
  Seen seen(int number) const { return of(number).opening.load(std::memory_order_acquire); }
  /// Requires: the region that the member has seen has a part for it, which has not come to its end.
  const StartData& start(int number) const { return of(number).start; }

  /// A thread that knows of anything in a region gets that one, or a later one, also before it learns of
  /// that.
  Seen last() const { return last_.load(std::memory_order_relaxed); }
  /// The same, also for a thread that knows of nothing but has ceased to search for work
  /// (Parking::end_search()) and so stands in for others: of a region whose members rely on it.
  // seq_cst: it comes behind that; what is done in the region, before the light fence of Parking
  Seen last_to_search_for() const { return last_.load(std::memory_order_seq_cst); }

  static int size_of(Seen opening) { return static_cast<int>(opening & kSizeMask); }

 private:
  struct alignas(kCacheLine) Group {
    Atomic<Seen> opening{0};
    StartData start{};
  };

  static constexpr std::size_t group_of(int number) { return static_cast<std::size_t>(number / groups_of); }
  const Group& of(int number) const { return group_[group_of(number)]; }

  Seen next(int size) {
    const Seen now = ((last() | kSizeMask) + 1) + static_cast<Seen>(size);
    last_.store(now, std::memory_order_relaxed);
    return now;
  }
  // release: pairs with the acquire in seen()
  static void notify(Group& group, Seen opening) { group.opening.store(opening, std::memory_order_release); }

  static constexpr Seen kSizeMask = 0xffffu;
  const std::size_t groups_;
  const std::unique_ptr<Group[]> group_;
  alignas(kCacheLine) Atomic<Seen> last_{0};
};

/// A member sleeps until there is another opening for it than the one it has seen, or for less long. A waker
/// may have relied on it to search for work. It does so later, in its region; until then another does: of the
/// region that is open now, of which it may not have been told.
///
/// Team: `opening` and `parking`. sleep(number): as Parking's; look_for_more(members): Parking's, with what
/// members of the team may find.
template <class Team, class Seen, class Sleep, class LookForMore>
void sleep_until_opening(Team& team, int number, Seen seen, Sleep&& sleep, LookForMore&& look_for_more) {
  team.parking.announce(number);
  const bool is_open = team.opening.is_new_to(number, seen);
  const bool searches = is_open ? !team.parking.withdraw(number) : sleep(number);
  if (searches && team.parking.end_search())
    look_for_more(team.opening.size_of(team.opening.last_to_search_for()));
}

/// Threads that may still touch what one other thread is about to end.
template <template <class> class Atomic = std::atomic>
class ThreadsInside {
 public:
  /// Requires: what is about to end cannot end yet for another reason, or the caller is the one that ends it.
  void enter(int count = 1) { count_.fetch_add(count, std::memory_order_relaxed); }
  /// The object may be gone when this returns.
  void leave() { count_.fetch_sub(1, std::memory_order_release); }
  /// acquire: pairs with the release in leave()
  bool are_gone() const { return count_.load(std::memory_order_acquire) == 0; }
  /// Requires: no other thread is there.
  void forget() { count_.store(0, std::memory_order_relaxed); }

 private:
  Atomic<int> count_{0};
};

}  // namespace heddle
