// A task: what to run, whose child it is, what it waits for, and who still needs its memory.
//
// Words
//   implicit    the task a thread executes for a parallel region; all others are explicit
//   undeferred  executed by the thread that meets the construct, before it goes on (if(0), final, or too many
//   queued) complete    the body has returned and its event, if any, is fulfilled; children may still run
//   named       a dependence table still refers to the task, so its memory must stay
//   kept        a complete child still has incomplete children, whose chain of ancestors must stay readable
//
// Invariant: memory is released by whoever brings lifetime_ to zero: complete, no child incomplete, not
// named, not kept. A task's fields belong to three parties: its creator until it is published; then the
// thread that runs it (created_children_, child_table, group); successors and lifetime_ are for everybody.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cache_line.hpp"
#include "task/data_environment.hpp"
#include "task/task_group.hpp"

namespace heddle {

class DependenceTable;
class MemoryCache;
struct Task;

/// One dependence: `successor` waits for the task on whose list the edge stands.
struct Edge {
  Task* successor = nullptr;
  Edge* next = nullptr;
};

/// Edges beyond those inside the task, and the exclusions (mutexinoutset) a task must hold: memory that dies
/// with it.
struct TaskExtension {
  TaskExtension* next;
  std::uint32_t bytes;
  MemoryCache* home;
};

struct Exclusion;

struct alignas(kCacheLine) Task {
  enum Flag : std::uint16_t {
    kUntied = 1,
    kFinal = 2,
    kImplicit = 4,
    kDetachable = 8,
    kUndeferred = 16,  // the creator waits for it; never queued
    kKeepsParent = 32,
    kHasDependences = 64,
    kHasMoreParts = 128,  // the body has returned in its middle, at a scheduling point of an untied task
    kStarted = 256,       // of a task with more parts: the first has run
    kDiscarded = 512,  // cancelled before it started: `body` ends the task without running the program's code
  };
  static constexpr int kInlineEdges = 3;
  static constexpr int kMaxTeam = 4096;

  using Body = void (*)(Task&);

  // Set by the creator before publication.
  Body body = nullptr;   // runs the task; given by the ABI that made it
  void* code = nullptr;  // the compiler's function, for body
  void* data = nullptr;  // its argument, for body
  Task* parent = nullptr;
  TaskGroup* created_in = nullptr;  // innermost taskgroup at creation
  MemoryCache* home = nullptr;      // where the memory came from; null: not from a cache
  std::uint32_t bytes = 0;
  std::uint16_t flags = 0;
  std::uint16_t depth = 0;  // generations below the implicit task, saturating
  std::int32_t priority = 0;
  std::uint32_t named_by =
      0;  // times that the parent's dependence table names it; touched by the parent's thread only
  Task* last_successor = nullptr;  // who was last made to wait for this; touched by the parent's thread only
  DataEnvironment environment;

  // Touched only by the thread that runs the task.
  std::uint32_t created_children_ = 0;
  TaskGroup* group = nullptr;  // innermost taskgroup the body is in
  DependenceTable* child_table = nullptr;

  // Written by predecessors.
  std::atomic<std::uint32_t> pending{0};
  std::atomic<std::uint32_t> event{0};  // of a detachable task: kBodyReturned, kFulfilled
  std::atomic<Edge*> successors{nullptr};
  TaskExtension* extensions = nullptr;
  Exclusion** exclusions = nullptr;  // null-terminated, sorted by address
  std::uint32_t exclusions_held = 0;
  std::int32_t waiter = 0;  // of an undeferred task: the creator's number in the team
  Task* next = nullptr;     // link of whichever list the task stands on
  std::atomic<std::uint64_t> lifetime_{initial_lifetime()};
  Edge edges[kInlineEdges];

  bool is_untied() const { return (flags & kUntied) != 0; }
  bool is_final() const { return (flags & kFinal) != 0; }
  bool is_implicit() const { return (flags & kImplicit) != 0; }
  bool is_detachable() const { return (flags & kDetachable) != 0; }
  bool is_undeferred() const { return (flags & kUndeferred) != 0; }

  /// The compiler's argument block, behind the task in the same allocation.
  void* payload() { return this + 1; }
  static Task* from_payload(void* payload) { return static_cast<Task*>(payload) - 1; }

  // -- children: called by the thread that runs this task
  // ----------------------------------------------------------

  void child_created() {
    if (++created_children_ >= kBias / 2) rebase_children();
  }

  /// acquire: pairs with the release in child_completed()
  bool children_complete() const {
    return (lifetime_.load(std::memory_order_acquire) & kCountMask) == kBias - created_children_;
  }

  /// Turns the count into "children outstanding", to be brought to zero by the last child, which then learns
  /// `who`.
  void begin_child_wait(int who) {
    lifetime_.fetch_sub(
        kBias - created_children_ - kHasWaiter - (static_cast<std::uint64_t>(who) << kWaiterShift),
        std::memory_order_seq_cst);
  }
  bool waited_children_complete() const {
    return (lifetime_.load(std::memory_order_acquire) & kCountMask) == 0;
  }
  void end_child_wait(int who) {
    lifetime_.fetch_add(kBias - kHasWaiter - (static_cast<std::uint64_t>(who) << kWaiterShift),
                        std::memory_order_relaxed);
    created_children_ = 0;
  }

  // -- lifetime: each returns true where the caller must release the memory
  // ------------------------------------------

  static constexpr int kNobody = -1;

  /// A child is complete. `*wake` becomes the number of the thread that waits for just this, or kNobody.
  bool child_completed(int* wake) {
    const std::uint64_t after = lifetime_.fetch_sub(1, std::memory_order_acq_rel) - 1;
    *wake = (after & kHasWaiter) != 0 && (after & kCountMask) == 0
                ? static_cast<int>(after >> kWaiterShift & kWaiterMask)
                : kNobody;
    return after == 0;
  }
  /// Descendants outlive this task; the answer is exact only once the body has returned. A child that is
  /// complete itself but has such descendants keeps this task, so that the whole chain of ancestors is held.
  bool has_incomplete_descendants() const {
    const std::uint64_t state = lifetime_.load(std::memory_order_acquire);
    return (state & kCountMask) != kBias - created_children_ || (state & kImmortal) != 0 || state >= kKept;
  }

  bool completed() {
    const std::uint64_t drop = kBody + kBias - created_children_;
    return lifetime_.fetch_sub(drop, std::memory_order_acq_rel) == drop;
  }
  /// Returns false where a million tasks keep this one already: it then stays for good, and need not be
  /// unkept.
  bool keep() {
    if (lifetime_.load(std::memory_order_relaxed) / kKept < kMaxKept) {
      lifetime_.fetch_add(kKept, std::memory_order_relaxed);
      return true;
    }
    lifetime_.fetch_or(kImmortal, std::memory_order_relaxed);
    return false;
  }
  bool unkeep() { return lifetime_.fetch_sub(kKept, std::memory_order_acq_rel) == kKept; }
  void name() {
    if (named_by++ == 0) lifetime_.fetch_add(kNamed, std::memory_order_relaxed);
  }
  bool unname() {
    return --named_by == 0 && lifetime_.fetch_sub(kNamed, std::memory_order_acq_rel) == kNamed;
  }

  static constexpr std::uint32_t kBodyReturned = 1, kFulfilled = 2;

 private:
  static constexpr std::uint64_t initial_lifetime() { return kBody | kBias; }

  // Lets the count of created children start again from those still incomplete, long before it could
  // overflow.
  void rebase_children() {
    const std::uint64_t complete = kBias - (lifetime_.load(std::memory_order_relaxed) & kCountMask);
    lifetime_.fetch_add(complete, std::memory_order_relaxed);
    created_children_ -= static_cast<std::uint32_t>(complete);
  }

  static constexpr std::uint64_t kBias = std::uint64_t{1} << 27;
  static constexpr std::uint64_t kCountMask = 2 * kBias - 1;  // bits 0-27: kBias less the children complete
  static constexpr std::uint64_t kBody = std::uint64_t{1} << 28;
  static constexpr std::uint64_t kNamed = std::uint64_t{1} << 29;
  static constexpr std::uint64_t kHasWaiter = std::uint64_t{1} << 30;
  static constexpr std::uint64_t kImmortal = std::uint64_t{1} << 31;
  static constexpr int kWaiterShift = 32;  // bits 32-43: the waiter's number in the team
  static constexpr std::uint64_t kWaiterMask = 0xfff;
  static constexpr std::uint64_t kKept = std::uint64_t{1}
                                         << 44;  // bits 44-63: complete children with incomplete ones
  static constexpr std::uint64_t kMaxKept = (std::uint64_t{1} << 20) - 2;
};

/// Whether `task` descends from `ancestor` (or is it). Both must be incomplete or kept.
/// Source: the task scheduling constraints of OpenMP 5.2, section 12.9.
inline bool descends_from(const Task& task, const Task& ancestor) {
  for (const Task* t = &task; t != nullptr; t = t->parent) {
    if (t == &ancestor) return true;
    if (t->depth < ancestor.depth) return false;
  }
  return false;
}

}  // namespace heddle
