// Where a task goes that its construct lets be deferred, and what its creator does next.
//
// One decision when the task is created: it is queued, executed at once in its creator's place, or executed
// at once on a stack of its own. One when it is published: the creator goes on, helps, or tries serial
// creation.
// docs/runtime/policy.md has both as tables; limits.hpp has the figures. No thread and no clock is known
// here: the creator and its queue come as arguments, so that every decision is a unit test.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "sched/lengths.hpp"
#include "sched/limits.hpp"
#include "sched/reasons.hpp"

namespace heddle {

/// How often something is left out that was in vain lately: each time twice as often, until it is of use.
class GrowingPause {
 public:
  /// Units: what is left out, counted by is_over(). starts_over: it may be tried at once.
  constexpr GrowingPause(std::uint32_t shortest, std::uint32_t longest, bool starts_over = true)
      : shortest_(shortest), longest_(longest), left_(starts_over ? 0 : shortest), length_(shortest) {}

  /// Whether to try now. What is left out otherwise counts towards the end of the pause.
  bool is_over() {
    if (left_ == 0) return true;
    --left_;
    return false;
  }
  void was_in_vain() {
    left_ = length_;
    length_ = std::min(2 * length_, longest_);
  }
  /// It was worse than that: so many are left out at least.
  void was_in_vain(std::uint64_t at_least) {
    if (at_least > length_) length_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(at_least, longest_));
    was_in_vain();
  }
  void was_of_use() { length_ = shortest_; }
  /// Before the next trial: the shortest pause, one as long as the last, or none.
  void begin_again() { left_ = shortest_; }
  void hold() { left_ = length_; }
  void end() { left_ = 0; }

 private:
  std::uint32_t shortest_, longest_;
  std::uint32_t left_;
  std::uint32_t length_;
};

// *Serial creation*: a creator executes each of its tasks at its creation, as in a team of one, because they
// cost more to share than to execute.
//
// The other threads have nothing to do meanwhile, so the creator looks at the clock every few tasks. A task
// that takes less than it costs to share one earns the difference as *credit*; a longer task uses credit up,
// and so does time that the creator or the system spends between the tasks. Without credit the creator shares
// its tasks again. If serial creation has lost more than it saved, sharing goes on until it has cost as much.

struct Task;

/// Of one member of a team. Clock: now() in ticks, and ticks_in(ns).
template <class Clock>
class SerialCreation {
 public:
  bool is(const Task* creator) const { return creator_ == creator; }

  /// Called for each task that is shared. Returns whether the creator is to try serial creation; it then says
  /// begin(), stay() or postpone().
  bool is_due() { return pause_.is_over(); }
  /// Requires: its children are complete.
  void begin(const Task* creator) {
    creator_ = creator;
    since_look_ = 0;
    balance_ = 0;
    credit_ = Clock::ticks_in(limits::kFirstCreditNs);
    look_after_ = 1;
    has_waited_ = true;
    is_postponed_ = false;
    pause_.begin_again();
  }
  /// The task is over, or begins.
  void forget_creator(const Task& task) {
    if (creator_ == &task) [[unlikely]]
      end();
  }
  /// Others are to have its tasks from now on.
  void stop() {
    if (creator_ != nullptr) end();
  }
  /// There is no reason yet, or nothing was lost: it is to try again soon.
  void stay() {
    pause_.was_of_use();
    pause_.begin_again();
  }
  /// The children are not complete: it is to try when it has waited for them.
  void postpone() {
    is_postponed_ = true;
    pause_.was_in_vain();
  }
  bool is_postponed() const { return is_postponed_; }
  /// Around a wait of a creator: what it does after the wait, until it creates the next task, is no part of
  /// what its tasks take. The latter returns whether the creator creates serially.
  void wait_begins(const Task* creator) {
    if (is(creator) && since_look_ != 0) look();
  }
  bool wait_ends(const Task* creator) {
    if (!is(creator)) return false;
    has_waited_ = true;
    return true;
  }

  /// Called before and after each task that is executed at its creation.
  void begins() {
    if (!has_waited_) [[likely]]
      return;
    has_waited_ = false;
    since_look_ = 0;
    look_after_ = 1;  // what comes now may be something else
    looked_at_ = Clock::now();
  }
  void executed() {
    if (++since_look_ == look_after_) look();
  }

 private:
  void look() {
    const std::uint64_t now = Clock::now();
    const std::uint64_t taken = now - looked_at_, saved = since_look_ * Clock::ticks_in(limits::kSharingNs);
    looked_at_ = now;
    balance_ += static_cast<std::int64_t>(saved - taken);
    since_look_ = 0;
    look_after_ = limits::kSerialLook;
    if (taken > credit_ + saved) [[unlikely]]
      return end();
    credit_ = std::min(credit_ + saved - taken, Clock::ticks_in(limits::kMostCreditNs));
  }
  void end() {
    creator_ = nullptr;
    if (balance_ >= 0) return stay();
    pause_.was_in_vain(static_cast<std::uint64_t>(-balance_) / Clock::ticks_in(limits::kSharingNs));
  }

  const Task* creator_ = nullptr;
  std::uint64_t looked_at_ = 0;
  std::uint32_t since_look_ = 0, look_after_ = 1;
  std::uint64_t credit_ = 0;  // ticks, as the next
  std::int64_t balance_ = 0;  // what serial creation has saved since it began
  GrowingPause pause_{limits::kSerialPause, limits::kLongestSerialPause, false};
  bool has_waited_ = false;
  bool is_postponed_ = false;
};

/// Where a recursion of tasks ceases to be split: when a task that another task creates is executed at its
/// creation although few others are queued.
/// Source of the idea: Duran, Corbalán, Ayguadé, "An adaptive cut-off for task parallelism", SC 2008.
///
/// What thieves take of a recursion is its oldest tasks, the large ones; a few queued are enough for them,
/// and what is split finer goes on like calls. But while a creator executes what it created, nobody fills its
/// queue. So such tasks are sampled: where those that one is made of last, on average, the cut-off pauses,
/// and longer each time that it is tried again.
class Cutoff {
 public:
  /// Whether the next task may be executed at its creation. Called where enough are queued.
  bool allows() {
    if (!lengths_.is_long()) [[likely]]
      return true;
    if (!pause_.is_over()) return false;
    pause_.hold();
    return true;
  }

  /// Called for each task that is. Returns whether its length is to be taken, and given to judge().
  bool is_due() {
    if (++executed_ != next_sample_) [[likely]]
      return false;
    next_sample_ = executed_ + interval_;  // within this one as well
    return true;
  }
  /// Counts every call of is_due().
  std::uint64_t executed() const { return executed_; }
  /// A task that was due has left its thread: nobody knows its length.
  void skip() { next_sample_ = executed_ + limits::kSeldom; }
  /// It has taken `length` ns. since: executed() when it was; others may have been executed in the same way
  /// within it.
  void judge(std::int64_t length, std::uint64_t since) {
    const std::int64_t mean = length / static_cast<std::int64_t>(executed_ - since + 1);
    const bool is_long = TaskLengthVote::counts_as_long(mean);
    lengths_.judge(mean);
    interval_ = is_long || lengths_.is_long() ? 1 : limits::kSeldom;
    next_sample_ = executed_ + interval_;
    if (is_long) {
      pause_.was_in_vain();
    } else {
      pause_.was_of_use();
      pause_.end();
    }
  }

 private:
  TaskLengthVote lengths_;
  std::uint64_t executed_ = 0, next_sample_ = 1, interval_ = 1;
  GrowingPause pause_{limits::kRecursionPause, limits::kLongestRecursionPause};
};

enum class Where : std::uint8_t {
  kQueue,
  kInline,
  kOwnStack,
  kIncluded,   // no decision: its construct says that its creator executes it
  kUndecided,  // not asked yet
};

/// Why. In the order in which they are looked at.
enum class Why : std::uint8_t {
  kReason,          // queued, until more is known of it: a Reason says so
  kSuspends,        // own stack: it may suspend, and is worth no place in the queue
  kDeep,            // queued: too many lie inside one another already
  kTeamOfOne,       // inline: nobody else is there
  kSiblings,        // queued: it has dependences, and its siblings are not complete
  kSerialCreation,  // inline: such tasks take less than it costs to share them
  kDependences,     // registered with its siblings first
  kRecursion,       // inline: a recursion is split finely enough
  kFull,            // inline: there is enough in the queue
  kShared,          // queued: for the thread that comes first
};
inline constexpr int kWhys = 10;
std::string_view name_of(Why why);

struct Decision {
  Where where;
  Why why;
};

enum class Next : std::uint8_t { kGoOn, kHelp, kTrySerialCreation };

/// Of one member. Clock: see SerialCreation.
template <class Clock>
class SpawnPolicy {
 public:
  /// Creator: team_size(), inline_depth(), depth(), task(), children_complete(), has_urgent(),
  /// queue_holds(n), queued() and queued_in_recursion(): see Throttle. Requires: no reason holds but
  /// kRulesHold.
  template <class Creator>
  Decision place(Creator creator, bool has_dependences) {
    if (creator.inline_depth() >= limits::kDeepestInline) [[unlikely]]
      return {Where::kQueue, Why::kDeep};
    if (creator.team_size() == 1) [[likely]] {
      if (!has_dependences || creator.children_complete()) return {Where::kInline, Why::kTeamOfOne};
      return {Where::kQueue, Why::kSiblings};
    }
    if (serial_creation.is(creator.task()) && !creator.has_urgent() && creator.children_complete())
      return {Where::kInline, Why::kSerialCreation};
    if (has_dependences) return {Where::kQueue, Why::kDependences};
    if (cuts_off(creator)) return {Where::kInline, Why::kRecursion};
    if (creator.queue_holds(creator.queued())) return {Where::kInline, Why::kFull};
    return {Where::kQueue, Why::kShared};
  }

  /// The same where reasons hold, those of the creator and of the process.
  template <class Creator>
  Decision place_under(std::uint32_t reasons, Creator creator, bool has_dependences) {
    if ((reasons & (bit(Reason::kFixed) | bit(Reason::kOldestFirst))) != 0) serial_creation.stop();
    const std::uint32_t others = reasons & ~kRulesHold;
    if (others == 0) return place(creator, has_dependences);
    if (others != bit(Reason::kMaySuspend)) return {Where::kQueue, Why::kReason};
    return place_on_stack(creator, has_dependences, queued_on_stacks(reasons, creator));
  }

  /// The same where tasks may suspend, and no other reason holds but kRulesHold. queued: of how many they are
  /// queued at most.
  template <class Creator>
  Decision place_on_stack(Creator creator, bool has_dependences, std::int64_t queued) {
    if (creator.inline_depth() >= limits::kDeepestInline) return {Where::kQueue, Why::kDeep};
    if (has_dependences) return {Where::kQueue, Why::kDependences};
    if (cuts_off(creator)) return {Where::kOwnStack, Why::kRecursion};
    if (creator.team_size() > 1 && !creator.queue_holds(queued)) return {Where::kQueue, Why::kShared};
    return {Where::kOwnStack, Why::kSuspends};
  }

  /// Of a task that has been registered with its siblings, and waits for none of them: where it goes now.
  template <class Creator>
  static Decision place_ready(std::uint32_t reasons, Creator creator) {
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
    if (serial_creation.is_due()) [[unlikely]]
      return Next::kTrySerialCreation;
    return has_many() && helps.is_over() ? Next::kHelp : Next::kGoOn;
  }

  /// How many are queued where tasks may suspend: so many as the program has said, or few.
  template <class Creator>
  static std::int64_t queued_on_stacks(std::uint32_t reasons, Creator creator) {
    return (reasons & bit(Reason::kFixed)) != 0 ? creator.queued()
                                                : std::min(creator.queued(), limits::kQueuedOnStacks);
  }

  /// Whether the creator is part of a recursion that is split finely enough.
  template <class Creator>
  bool cuts_off(Creator creator) {
    return creator.depth() >= limits::kRecursion && !creator.has_urgent() &&
           creator.queue_holds(creator.queued_in_recursion()) && cutoff.allows();
  }

  SerialCreation<Clock> serial_creation;
  Cutoff cutoff;
  GrowingPause helps{limits::kHelpPause, limits::kLongestHelpPause};
};

/// From how many incomplete children on a creator in a team of that size helps. queued: see Throttle.
inline std::int32_t many_children(std::int64_t queued, int team_size) {
  return static_cast<std::int32_t>(std::min(
      std::max({limits::kChildren, queued, limits::kChildrenPerThread * team_size}), limits::kMostChildren));
}

}  // namespace heddle
