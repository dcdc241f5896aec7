// Counts a waiting member among those that search for work (sync/parking.hpp).
#pragma once

#include <utility>

#include "team/team.hpp"

namespace heddle {

/// For work that came while somebody searched nobody may have been woken: the last to cease searching wakes
/// one of the first `members`, if there is any.
inline void look_for_more(Team& team, int members) {
  if (team.parking.announced() != 0 && (team.order != nullptr || !team.ready.looks_empty(members)))
    team.parking.wake_for_work(members);
}

/// The caller has left its watch over the pollers (sched/watch.hpp) and goes on to something else: another
/// sleeper may watch.
inline void hand_watch_on(Member& me) {
  if (std::exchange(me.has_left_watch, false)) [[unlikely]]
    me.team->parking.wake_one(me.team_size);
}

class Searching {
 public:
  explicit Searching(Member& me) : me_(me) {}
  ~Searching() { found(); }
  Searching(const Searching&) = delete;
  Searching& operator=(const Searching&) = delete;

  /// The member has found nothing, and goes on looking.
  /// Cost: nothing to speak of where nobody sleeps, who alone could be woken too often.
  void begin() {
    if (is_counted_ || me_.team->parking.announced() == 0) return;
    me_.team->parking.begin_search();
    is_counted_ = true;
  }

  /// The member goes on to something else.
  void found() {
    if (std::exchange(is_counted_, false)) was_last_ = me_.team->parking.end_search();
    if (std::exchange(was_last_, false)) look_for_more(*me_.team, me_.team_size);
    hand_watch_on(me_);
  }

  /// The member is about to announce itself, look once more, and sleep.
  void pause() {
    if (std::exchange(is_counted_, false)) was_last_ = me_.team->parking.end_search();
  }

  /// It has slept, or withdrawn; searches: what that said.
  void resume(bool searches) {
    is_counted_ = searches;
    if (searches) was_last_ = false;
  }
  void has_slept(bool searches) {
    is_counted_ = searches;
    was_last_ = false;
  }

 private:
  Member& me_;
  bool is_counted_ = false;
  bool was_last_ = false;  // when it ceased to search
};

}  // namespace heddle
