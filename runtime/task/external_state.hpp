// What a task has that libraries beside OpenMP block, or whose completion waits for events of theirs.
//
// Words: a task is *blocked* until somebody unblocks it, which may come first. Its *events* are a count: the
// task is complete when its body has returned and the count is zero. Invariant: the body counts as one event,
// so the count comes to zero once, whatever the order.
// Several nodes of a recorded graph are one Task after the other's: there the body itself waits, suspended,
// until its events have come, and the next one's begin with none.
//
// Source: ALPI 1.2, the tasking interface of the Task-Aware MPI library.
#pragma once

#include <atomic>
#include <cstdint>

#include "task/task.hpp"

namespace heddle {

struct SpawnedTask;
struct Suspension;

/// Where a task blocks until somebody unblocks it, which may come first.
template <class Waiter, template <class> class Atomic = std::atomic>
class BlockWord {
 public:
  /// `who` waits from now on, and may be handed out before this returns. Returns false where it was unblocked
  /// before: it does not wait, and may block again. Threads: the task's.
  bool begin_wait(Waiter& who) {
    static_assert(alignof(Waiter) > kUnblocked);
    std::uintptr_t nobody = 0;
    // release, and acquire where it fails: pair with unblock()
    if (word_.compare_exchange_strong(nobody, reinterpret_cast<std::uintptr_t>(&who),
                                      std::memory_order_release, std::memory_order_acquire))
      return true;
    word_.store(0, std::memory_order_relaxed);  // unblocked before: nobody else writes it now
    return false;
  }

  /// Returns false where it was unblocked already and has not blocked since. `*waiter`: what waits, which is
  /// the caller's to resume, or nullptr. Threads: any.
  bool unblock(Waiter** waiter) {
    std::uintptr_t before = word_.load(std::memory_order_relaxed);
    std::uintptr_t after;
    do {
      if (before == kUnblocked) return false;
      after = before == 0 ? kUnblocked : 0;
    } while (
        !word_.compare_exchange_weak(before, after, std::memory_order_acq_rel, std::memory_order_relaxed));
    *waiter = reinterpret_cast<Waiter*>(before);
    return true;
  }

 private:
  static constexpr std::uintptr_t kUnblocked = 1;
  Atomic<std::uintptr_t> word_{0};  // kUnblocked, or the Waiter
};

/// How many events a task still waits for, its body among them while that runs.
template <template <class> class Atomic = std::atomic>
class PendingEvents {
 public:
  // Threads: the task's.
  bool is_empty() const { return count_.load(std::memory_order_relaxed) == 0; }
  void begin_body() { count_.store(kBody, std::memory_order_relaxed); }
  void add(std::uint64_t count) { count_.fetch_add(count, std::memory_order_relaxed); }
  /// Returns whether no event is pending.
  bool end_body() { return done(kBody); }

  /// So many have come. Returns whether they were the last, the body included. Threads: any.
  /// Ordering: what happened before the others came is visible to the one that gets true.
  bool done(std::uint64_t count) { return count_.fetch_sub(count, std::memory_order_acq_rel) == count; }
  /// How many are pending, without the body. acquire: pairs with the release in done()
  std::uint64_t count() const { return count_.load(std::memory_order_acquire) & ~kBody; }

 private:
  static constexpr std::uint64_t kBody = std::uint64_t{1} << 63;
  Atomic<std::uint64_t> count_{0};
};

struct ExternalState {
  TaskExtension extension;
  Task* task = nullptr;
  SpawnedTask* spawned = nullptr;  // where it is one's; then that has the rest
  BlockWord<Suspension> blocked;
  PendingEvents<> events;
  Suspension* waiter = nullptr;  // of a graph's task: its body, from where that has ended as an event
};

}  // namespace heddle
