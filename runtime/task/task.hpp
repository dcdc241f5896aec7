// A task: what to run, whose child it is, what it waits for, and what still needs its memory.
//
// Words
//   implicit    the task a thread executes for a parallel region; all others are explicit
//   undeferred  executed by the thread that meets the construct, before it goes on (if(0), final, or too many
//               queued)
//   complete    the body has returned and its event, if any, is fulfilled; children may still run
//   in a table  a dependence table still refers to the task, so its memory must stay
//   retained    a complete child still has incomplete children, whose chain of ancestors must stay readable
//   owner       the member that executes the task, to its end or to that of its part; other members count
//               what they complete of its children apart, so that most completions touch no shared word
//   plain       completing it concerns nobody but its parent and its successors: no child is outstanding, it
//               is not retained. Most tasks are; their lifetime is not counted, see task/successor_list.hpp
//
// Invariant: memory is released by the thread that brings lifetime_ to zero: complete, no child incomplete,
// not in a table, not retained; of a plain task by the thread that comes second of its completion and its
// table's abandon. A task's fields belong to three parties: its creator until it is published; then the
// thread that runs it (children_out_, child_table, group); successors and lifetime_ are for everybody.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "base/cache_line.hpp"
#include "base/count_down.hpp"
#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"
#include "mem/cache.hpp"
#include "task/data_environment.hpp"
#include "task/lifetime.hpp"
#include "task/status.hpp"
#include "task/successor_list.hpp"

namespace heddle {

// A taskgroup region: counts the tasks created in it, descendants included (OpenMP 5.2, section 15.4).

struct Suspension;

struct TaskGroup {
  /// counts_too: a group that its tasks count in as well, since nobody waits for this one before that one
  /// ends; or null.
  explicit TaskGroup(TaskGroup* enclosing, TaskGroup* counts_too = nullptr)
      : outer(enclosing), also(counts_too) {}
  TaskGroup* const outer;
  TaskGroup* const also;
  WaitCount<> outstanding;
  Suspension* waiter = nullptr;  // the task that waits for its end, having left its thread
  bool is_of_construct = false;  // made by a construct with reduction(task, ...): no taskgroup of the program
  Published<bool> is_cancelled{false};
  void* reductions =
      nullptr;  // descriptors of task_reduction clauses; their form belongs to the compiler's ABI
};

/// The flags of a task: what it is, and how far it has come, in one word.
///
/// Words: a task is *published* when another thread can learn of it: it is queued, waits for a predecessor,
/// or its event was handed out.
///
/// Invariant: the word has one writer at a time, so that changing it takes no read-modify-write.
///   until it is published: its creator, every bit of what the task is, and those of what it has by then;
///   while it is executed: the thread that executes it, kHasMoreParts, kHasBegun, kDiscarded, kHasExtensions,
///   kHasChildTable, and kDetachable where the body asks for events outside OpenMP;
///   once its body has returned: the thread that completes it, kRetainsParent.
/// Nobody else writes it: the parent's dependence table, which retains tasks for as long as it refers to
/// them, sets kInTable before publication and afterwards counts only (Task::table_references). Other threads
/// may read bits that do not change any more after publication: kImplicit, kInTable, kHasExclusions,
/// kInGroup, kHasHandle.
template <template <class> class Atomic = std::atomic>
class TaskFlags {
 public:
  using Bits = std::uint16_t;

  TaskFlags() = default;
  TaskFlags(Bits bits) : word_(bits) {}  // NOLINT: as a plain word would

  /// Threads: any, for bits that do not change any more.
  operator Bits() const { return word_.load(std::memory_order_relaxed); }  // NOLINT: as above

  // Threads: the writer. What is published with a new value is ordered by how the task is handed over, so
  // relaxed will do; atomic at all, since others look at bits beside those that change.
  TaskFlags& operator=(unsigned bits) {
    word_.store(static_cast<Bits>(bits), std::memory_order_relaxed);
    return *this;
  }
  void set(unsigned bits) { *this = word_.load(std::memory_order_relaxed) | bits; }
  void clear(unsigned bits) { *this = word_.load(std::memory_order_relaxed) & ~bits; }

 private:
  Atomic<Bits> word_{0};
};

class DependenceTable;
class MemoryCache;
struct Task;
struct Exclusion;
struct Suspension;

/// Memory that dies with its task: edges beyond those inside it, its exclusions, what it has outside OpenMP.
struct TaskExtension {
  enum class Kind : std::uint8_t {
    kOther,
    kExternal,     // an ExternalState (tasking/detach.hpp)
    kTransparent,  // a TransparentTask (tasking/transparent.hpp)
  };

  TaskExtension* next;
  std::uint32_t bytes;
  MemoryCache* home;
  Kind kind = Kind::kOther;
};

static_assert(sizeof(TaskExtension) % sizeof(Edge) == 0, "edges may stand behind it");

struct alignas(alignof(Edge)) Task {
  enum Flag : std::uint16_t {
    kUntied = 1,
    kFinal = 2,
    kImplicit = 4,
    kDetachable = 8,
    kUndeferred = 16,  // the creator waits for it; never queued
    kRetainsParent = 32,
    kInTable = 64,        // its parent's dependence table refers to it, or did until it abandoned it
    kHasMoreParts = 128,  // the body has returned in its middle, at a scheduling point of an untied task
    // Not to be discarded any more: the first of several parts has run, or copies of the program's objects
    // were made for it, which only its body destroys.
    kHasBegun = 256,
    kDiscarded = 512,  // cancelled before it started: `body` ends the task without running the program's code
    kMayMove = 1024,   // may go on with another thread than it began with
    kHasExclusions = 2048,  // mutexinoutset: `extensions` begins with what the task must hold (exclusion.hpp)
    // Whether a pointer of the third cache line is set: saves the thread that runs the task from looking.
    kInGroup = 4096,
    kHasExtensions = 8192,
    kHasChildTable = 16384,
    kHasHandle =
        32768,  // may be started out of turn (tasking/execute.hpp): a thread that starts it claims it first
  };
  static constexpr int kMaxTeam = 4096;
  static constexpr std::uint16_t kNoCreator = kMaxTeam - 1;  // no member has that number
  static constexpr std::uint16_t kNoOwner = 0xffff;
  enum Kind : std::uint16_t {
    kOrdinary,
    kSpare,     // to be used again (tasking/undeferred.hpp)
    kRecorded,  // executes a segment of a graph (replay/replay.hpp)
    // What its children name in depend clauses is ordered with what its siblings name; and the tasks without
    // code that do this (tasking/transparent.hpp). The latter are marked kUndeferred, and never queued.
    kTransparent,
    kRelay,
  };
  static constexpr std::int32_t kBackground = -100;

  using Body = void (*)(Task&);

  /// What a task has from its parent at its creation.
  struct Inherited {
    Inherited() = default;
    explicit Inherited(Task& from) : Inherited(from, from.group) {}
    /// The same in another taskgroup.
    Inherited(Task& from, TaskGroup* group)
        : parent(&from),
          environment(from.environment),
          group(group),
          flags(static_cast<std::uint16_t>((from.flags & kFinal) | (group != nullptr ? kInGroup : 0))),
          depth(from.depth < UINT16_MAX ? static_cast<std::uint16_t>(from.depth + 1) : UINT16_MAX) {}

    Task* parent = nullptr;
    const DataEnvironment* environment = nullptr;
    TaskGroup* group = nullptr;
    std::uint16_t flags = 0;
    std::uint16_t depth = 0;
  };

  Task() = default;
  Task(const Inherited& from, MemoryCache* home_cache, std::uint32_t bytes_in_all, unsigned extra_flags)
      : parent(from.parent),
        home(home_cache),
        bytes(bytes_in_all),
        flags(static_cast<std::uint16_t>(extra_flags | from.flags)),
        depth(from.depth),
        environment(from.environment),
        group(from.group) {}
  /// A child of `parent`.
  Task(Task& parent, MemoryCache* home_cache, std::uint32_t bytes_in_all, unsigned extra_flags)
      : Task(Inherited(parent), home_cache, bytes_in_all, extra_flags) {}

  /// Makes a task whose body has returned, and of which nothing goes on, a child of `new_parent`.
  /// Requires: is_plain(), nobody refers to it, and new_parent is not final.
  void renew(Task& new_parent, unsigned new_flags) {
    parent = &new_parent;
    flags = new_flags;  // kInGroup is of use to deferred tasks alone
    const unsigned above = new_parent.depth;
    depth = static_cast<std::uint16_t>(above + (above < UINT16_MAX ? 1 : 0));
    environment = new_parent.environment;
    group = new_parent.group;
  }

  // Grouped by cache lines: a task begins 16 bytes behind the beginning of one (MemoryCache::kOffset), and
  // a thread that runs a plain task outside all taskgroups needs the first two and its data.

  // Set by the creator before publication.
  Body body = nullptr;  // runs the task: which kind it is
 private:
  alignas(void*) std::byte own_[2 * sizeof(void*)];  // NOLINT: as() of the task's kind

 public:
  Task* parent = nullptr;
  MemoryCache* home = nullptr;  // where the memory came from; null: not a cache
 private:
  Lifetime<> lifetime_;

 public:
  std::uint32_t bytes = 0;
  TaskFlags<> flags;        // which thread may write them when: TaskFlags
  std::uint16_t depth = 0;  // generations below the implicit task, saturating
  // Below 0: runs only where nothing else is left, or where it is waited for. kBackground, by request, comes
  // last; before it what belongs to an execution that lags (replay/replay.hpp).
  std::int32_t priority = 0;

 private:
  // Created less those completed, by the owner; the running thread's. Negative where it completed children
  // that others created in its stead.
  std::int32_t children_out_ = 0;

 public:
  // Written by predecessors and by the thread that makes others wait for the task.
  CountDown<> pending;
  TaskStatus<> status;
  RelaxedAtomic<std::uint16_t> owner{kNoOwner};
  SuccessorList<> successors;
  std::uint32_t table_references =
      0;  // times that the parent's table refers to it; touched by the parent's thread
  // The number in the team of the thread that has published the task, or waits for it. Nodes of a graph have
  // none.
  std::uint16_t creator : 12 = kNoCreator;
  std::uint16_t kind : 4 {};  // Kind
  std::uint16_t slot = 0;     // of what it works on (sched/home_table.hpp); 0: not known, or of no interest

  union {
    Edge edge;  // NOLINT: until it is ready, where a predecessor has many successors
    Suspension*
        suspension;  // while its body runs: where it has left its thread, for a thread that goes on with it
  };
  union {
    Task* next = nullptr;    // link of the list that the task stands on: ready, spare, or parked tasks
    Task* outer_constraint;  // of an undeferred task, which is on no list, until it ends: its creator's
    Task* released;          // of a graph's task that has run: one that it has made ready for its thread
  };
  const DataEnvironment* environment = nullptr;
  // Innermost taskgroup: the one the task was created in, and, while its body runs, the one the body is in.
  TaskGroup* group = nullptr;
  DependenceTable* child_table = nullptr;  // touched only by the thread that runs the task
  TaskExtension* extensions = nullptr;

 private:
  std::int32_t others_completed_ = 0;  // of children_out_, when has_more_children() last looked

 public:
  void created_by(int number) { creator = static_cast<std::uint16_t>(number) & (kMaxTeam - 1); }
  bool is_untied() const { return (flags & kUntied) != 0; }
  bool is_final() const { return (flags & kFinal) != 0; }
  bool is_implicit() const { return (flags & kImplicit) != 0; }
  bool is_detachable() const { return (flags & kDetachable) != 0; }
  bool is_undeferred() const { return (flags & kUndeferred) != 0; }
  bool is_recorded() const { return kind == kRecorded; }

  /// Whether an incomplete task keeps what its fields say of one another. Threads: its creator until it is
  /// published, then the thread that executes or completes it.
  bool is_valid() const;

  /// Fetches what running the task needs first.
  void prefetch() const {
    __builtin_prefetch(this);
    prefetch_to_write(&pending);
    __builtin_prefetch(this + 1);
  }

  /// What `body` has to know of a task of its kind: a type for each kind, kept here. Requires: every caller
  /// that knows the task by this body asks for the same type.
  template <class Own>
  Own& as() {
    static_assert(sizeof(Own) <= sizeof own_ && std::is_trivially_destructible_v<Own>);
    return *reinterpret_cast<Own*>(own_);
  }
  template <class Own>
  const Own& as() const {
    return const_cast<Task*>(this)->as<Own>();
  }

  /// The compiler's argument block, behind the task in the same allocation, aligned to a cache line.
  void* payload() { return this + 1; }
  static Task* from_payload(void* payload) { return static_cast<Task*>(payload) - 1; }

  // -- children: called by the thread that runs this task
  // ----------------------------------------------------------

  void child_created() { children_created(1); }
  /// So many at once. Requires: fewer than 2^25.
  void children_created(std::uint32_t count) {
    children_out_ += static_cast<std::int32_t>(count);
    if (static_cast<std::uint32_t>(children_out_) + Lifetime<>::kBias / 2 >= Lifetime<>::kBias)
      rebase_children();
  }
  /// The same where the caller is not the owner. Requires: a child is incomplete, or the body runs.
  /// Threads: any.
  void child_created_elsewhere() { lifetime_.child_created(); }
  /// A child is complete, and the caller is the owner.
  void child_completed_by_owner() { --children_out_; }

  bool children_complete() const { return lifetime_.children_complete(children_out_); }

  /// Lets the last child learn `waiter` when it is complete. No child may be created or completed by the
  /// owner before end_child_wait(). Returns whether there is such a child.
  bool begin_child_wait(int waiter) { return lifetime_.begin_child_wait(children_out_, waiter); }
  bool waited_children_complete() const { return lifetime_.waited_children_complete(); }
  void end_child_wait(int waiter) { lifetime_.end_child_wait(children_out_, waiter); }

  /// Whether more than `most` children are incomplete.
  /// Cost: looks at what other threads write only where it may be so.
  bool has_more_children(std::int32_t most) {
    if (children_out_ - others_completed_ <= most) return false;
    others_completed_ = lifetime_.completed_by_others();
    return children_out_ - others_completed_ > most;
  }

  // -- lifetime: each returns true where the caller must release the memory
  // ------------------------------------------

  static constexpr int kNobody = Lifetime<>::kNobody;
  /// The number of a waiter that has left its thread: `suspension` says where.
  static constexpr int kHasLeft = kMaxTeam - 1;

  /// `count` children are complete. `*wake` becomes the number of the thread that sleeps until just this, or
  /// kNobody. Threads: any but the owner's.
  bool children_completed(std::uint32_t count, int* wake) {
    return lifetime_.children_completed(count, wake);
  }

  /// Whether the task, whose body has returned, is plain. Only a child could change the answer, and there is
  /// none.
  bool is_plain() const { return children_out_ == 0 && lifetime_.is_initial(); }

  /// Makes a task plain whose body has returned and whose children are complete. Returns false where
  /// something of it goes on. Threads: the one that ran it.
  bool become_plain() {
    if (!lifetime_.become_initial(children_out_)) return false;
    children_out_ = others_completed_ = 0;
    return true;
  }

  /// Descendants outlive this task; the answer is exact only once the body has returned. A child that is
  /// complete itself but has such descendants keeps this task, so that the whole chain of ancestors is held.
  bool has_incomplete_descendants() const { return lifetime_.has_incomplete_descendants(children_out_); }

  bool completed() { return lifetime_.completed(children_out_); }
  /// Returns false where 131,000 tasks keep this one already: it then stays for good, and need not be
  /// dropped.
  bool retain() { return lifetime_.retain(); }
  bool drop_retained() { return lifetime_.drop_retained(); }

  /// The parent's dependence table refers to this task once more: before it is published, and later, where
  /// the table refers to it already; and once less. Threads: the parent's.
  void add_table_reference() {
    ++table_references;
    flags.set(kInTable);
  }
  void add_table_reference_again() { ++table_references; }
  bool drop_table_reference() {
    if (--table_references != 0) return false;
    switch (successors.abandon()) {
      case SuccessorList<>::Abandoned::kOpen:
        return false;
      case SuccessorList<>::Abandoned::kFreed:
        return true;
      case SuccessorList<>::Abandoned::kHeld:
        break;
    }
    return drop_reference();
  }

  /// A reference to this task that is not counted otherwise. At most 7.
  void add_reference() { lifetime_.add_reference(); }
  bool drop_reference() { return lifetime_.drop_reference(); }

  /// Of this task's ancestors, or of itself: whether it has completed. Requires: it is held in memory.
  bool is_complete() const { return lifetime_.is_complete(); }

  /// The task is ready: a thread that has a handle of it may start it.
  void notify_handle() {
    if ((flags & kHasHandle) != 0) [[unlikely]]
      status.make_ready();
  }

 private:
  // Lets the count of created children start again from those still incomplete, long before it could
  // overflow, to either side.
  void rebase_children() {
    const std::int32_t complete = lifetime_.completed_by_others();
    lifetime_.rebase(complete);
    children_out_ -= complete;
    others_completed_ = 0;
  }
};

// Two dependences and 32 bytes of data fit a task of either compiler into 256 bytes.
static_assert(sizeof(Task) == 176);

/// Whether `task` descends from `ancestor` (or is it). Both must be incomplete or retained.
/// Source: the task scheduling constraints of OpenMP 5.2, section 12.9.
inline bool descends_from(const Task& task, const Task& ancestor) {
  for (const Task* t = &task; t != nullptr; t = t->parent) {
    if (t == &ancestor) return true;
    if (t->depth < ancestor.depth) return false;
  }
  return false;
}

/// More memory for a task: `bytes` behind a TaskExtension, which becomes the head of its list.
/// Threads: the owner of `cache`; the task's creator, until it is published, or the thread that executes it.
TaskExtension& extend(Task& task, std::size_t bytes, MemoryCache& cache);

/// Frees what a task has in memory beside its own block.
/// Threads: the owner of `cache`.
void release_extensions(Task& task, MemoryCache& cache);

// What a program says of the next task that it creates, which its construct has no clause for.

struct Task;

/// What the program wants of the next task that a member creates.
struct TaskRequest {
  bool is_background = false;
  bool is_transparent = false;  // Member::requests.transparency says how
  Task** handle = nullptr;      // where to put its handle

  bool is_empty() const { return !(is_background | is_transparent) && handle == nullptr; }
};

}  // namespace heddle
