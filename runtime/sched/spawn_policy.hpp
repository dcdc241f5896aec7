// Where a task goes that its construct lets be deferred, and what its creator does next.
//
// One decision when the task is created: it is queued, executed at once in its creator's place, or executed
// at once on a stack of its own. One when it is published: the creator goes on, helps, or tries to be alone.
// docs/runtime/policy.md has both as tables; limits.hpp has the figures. No thread and no clock is known
// here: the creator and its queue come as arguments, so that every decision is a unit test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "sched/alone.hpp"
#include "sched/cutoff.hpp"
#include "sched/growing_pause.hpp"
#include "sched/limits.hpp"
#include "sched/reasons.hpp"

namespace heddle {

enum class Where : std::uint8_t {
  kQueue,
  kInline,
  kOwnStack,
  kIncluded,   // no decision: its construct says that its creator executes it
  kUndecided,  // not asked yet
};

/// Why. In the order in which they are looked at.
enum class Why : std::uint8_t {
  kReason,       // queued, until more is known of it: a Reason says so
  kSuspends,     // own stack: it may suspend, and is worth no place in the queue
  kDeep,         // queued: too many lie inside one another already
  kTeamOfOne,    // inline: nobody else is there
  kSiblings,     // queued: it has dependences, and its siblings are not complete
  kAlone,        // inline: such tasks take less than it costs to share them
  kDependences,  // registered with its siblings first
  kRecursion,    // inline: a recursion is split finely enough
  kFull,         // inline: there is enough in the queue
  kShared,       // queued: for whoever comes first
};
inline constexpr int kWhys = 10;
std::string_view name_of(Why why);

struct Decision {
  Where where;
  Why why;
};

enum class Next : std::uint8_t { kGoOn, kHelp, kTryAlone };

/// Of one member. Clock: see Alone.
template <class Clock>
class SpawnPolicy {
 public:
  /// Creator: team_size(), inline_depth(), depth(), task(), children_complete(), has_urgent(),
  /// queue_holds(n), queued() and queued_in_recursion(): see Throttle. Requires: no reason holds but
  /// kRulesHold.
  template <class Creator>
  Decision place(const Creator& creator, bool has_dependences) {
    if (creator.inline_depth() >= limits::kDeepestInline) [[unlikely]]
      return {Where::kQueue, Why::kDeep};
    if (creator.team_size() == 1) [[likely]] {
      if (!has_dependences || creator.children_complete()) return {Where::kInline, Why::kTeamOfOne};
      return {Where::kQueue, Why::kSiblings};
    }
    if (alone.is(creator.task()) && !creator.has_urgent() && creator.children_complete())
      return {Where::kInline, Why::kAlone};
    if (has_dependences) return {Where::kQueue, Why::kDependences};
    if (cuts_off(creator)) return {Where::kInline, Why::kRecursion};
    if (creator.queue_holds(creator.queued())) return {Where::kInline, Why::kFull};
    return {Where::kQueue, Why::kShared};
  }

  /// The same where reasons hold, those of the creator and of the process.
  template <class Creator>
  Decision place_under(std::uint32_t reasons, const Creator& creator, bool has_dependences) {
    if ((reasons & (bit(Reason::kFixed) | bit(Reason::kOldestFirst))) != 0) alone.stop();
    const std::uint32_t others = reasons & ~kRulesHold;
    if (others == 0) return place(creator, has_dependences);
    if (others != bit(Reason::kMaySuspend)) return {Where::kQueue, Why::kReason};
    return place_on_stack(creator, has_dependences, queued_on_stacks(reasons, creator));
  }

  /// The same where tasks may suspend, and no other reason holds but kRulesHold. queued: of how many they are
  /// queued at most.
  template <class Creator>
  Decision place_on_stack(const Creator& creator, bool has_dependences, std::int64_t queued) {
    if (creator.inline_depth() >= limits::kDeepestInline) return {Where::kQueue, Why::kDeep};
    if (has_dependences) return {Where::kQueue, Why::kDependences};
    if (cuts_off(creator)) return {Where::kOwnStack, Why::kRecursion};
    if (creator.team_size() > 1 && !creator.queue_holds(queued)) return {Where::kQueue, Why::kShared};
    return {Where::kOwnStack, Why::kSuspends};
  }

  /// Of a task that has been registered with its siblings, and waits for none of them: where it goes now.
  template <class Creator>
  static Decision place_ready(std::uint32_t reasons, const Creator& creator) {
    if ((reasons & bit(Reason::kHold)) != 0) return {Where::kQueue, Why::kReason};
    if (creator.inline_depth() >= limits::kDeepestInline) return {Where::kQueue, Why::kDeep};
    const bool is_single = creator.team_size() == 1;
    const bool may_suspend = (reasons & bit(Reason::kMaySuspend)) != 0;
    const std::int64_t queued = may_suspend ? queued_on_stacks(reasons, creator) : creator.queued();
    if (!is_single && !creator.queue_holds(queued)) return {Where::kQueue, Why::kShared};
    if (may_suspend) return {Where::kOwnStack, Why::kSuspends};
    return {Where::kInline, is_single ? Why::kTeamOfOne : Why::kFull};
  }

  /// Called when a task has been published; has_many(): whether the creator has too many incomplete children.
  template <class HasMany>
  Next published(HasMany&& has_many) {
    if (alone.is_due()) [[unlikely]]
      return Next::kTryAlone;
    return has_many() && helps.is_over() ? Next::kHelp : Next::kGoOn;
  }

  /// How many are queued where tasks may suspend: so many as the program has said, or few.
  template <class Creator>
  static std::int64_t queued_on_stacks(std::uint32_t reasons, const Creator& creator) {
    return (reasons & bit(Reason::kFixed)) != 0 ? creator.queued()
                                                : std::min(creator.queued(), limits::kQueuedOnStacks);
  }

  /// Whether the creator is part of a recursion that is split finely enough.
  template <class Creator>
  bool cuts_off(const Creator& creator) {
    return creator.depth() >= limits::kRecursion && !creator.has_urgent() &&
           creator.queue_holds(creator.queued_in_recursion()) && cutoff.allows();
  }

  Alone<Clock> alone;
  Cutoff cutoff;
  GrowingPause helps{limits::kHelpPause, limits::kLongestHelpPause};
};

/// From how many incomplete children on a creator in a team of that size helps. queued: see Throttle.
inline std::int32_t many_children(std::int64_t queued, int team_size) {
  return static_cast<std::int32_t>(std::min(
      std::max({limits::kChildren, queued, limits::kChildrenPerThread * team_size}), limits::kMostChildren));
}

}  // namespace heddle
