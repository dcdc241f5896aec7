// The dependences among the children of one task. Only the thread that runs that task touches the table, so
// it has no lock: what other threads do to it goes through the children's own atomics.
//
// The rules stand in access.hpp. A task named in a set stays in memory until the set is replaced, or
// forgotten because all of it is complete. Invariant: every incomplete task that a new access must wait for
// is in the current or previous set of its address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cache_line.hpp"
#include "deps/access.hpp"
#include "deps/address_index.hpp"
#include "deps/task_set.hpp"

namespace heddle {

class MemoryCache;

/// Releases the memory of a task that nobody needs any more.
using ReleaseTask = void (*)(Task&, MemoryCache&);

class DependenceTable {
 public:
  explicit DependenceTable(ReleaseTask release) : release_(release) {}
  ~DependenceTable();
  DependenceTable(const DependenceTable&) = delete;
  DependenceTable& operator=(const DependenceTable&) = delete;

  /// Lets `task` wait for what its dependences demand, and later siblings for it.
  /// Requires: task is not published yet.
  /// Ensures:  task.pending counts the incomplete predecessors that release() will count down, plus kGuard.
  /// Returns the number of edges made, to be passed to arm().
  std::uint32_t add(Task& task, std::span<const Dependence> dependences, MemoryCache& cache);

  /// The same for a task that is complete before another sibling can be created (undeferred, taskwait
  /// depend): it waits for others but needs no place in the table.
  std::uint32_t add_waiting_only(Task& task, std::span<const Dependence> dependences, MemoryCache& cache);

  // -- for transparent tasks (tasking/transparent.hpp), in whose place relays stand

  /// What a task waits for so far. Several tables may add to it, one after the other.
  struct Waiting {
    std::uint32_t predecessors = 0;  // to be passed to arm()
    std::uint32_t edges = 0;         // of the task's memory, handed out
  };
  /// Lets a relay wait for what a task with this dependence would wait for, and later siblings for the relay.
  /// Requires: relay.pending was reset to kGuard; the dependence is no mutexinoutset.
  void add_export(Task& relay, const Dependence& dependence, MemoryCache& cache, Waiting& waiting);
  /// add_waiting_only() for a task that waits for others already.
  void add_waiting_only(Task& task, std::span<const Dependence> dependences, MemoryCache& cache,
                        Waiting& waiting);
  /// Lets a relay wait for the table's own task. Requires: that runs, and is in no table.
  void add_own_task(Task& relay, Task& own, MemoryCache& cache, Waiting& waiting);
  /// Children that name the address from now on wait for the relay, as for the last task that has written
  /// there; null: whatever they name. Requires: the table is empty but for other relays; a reference to the
  /// relay was counted (Task::add_table_reference()), which becomes the table's.
  void import(Task& relay, void* address, MemoryCache& cache);

  /// Forgets everything. Requires: all tasks named are complete, or the table's task is.
  void clear(MemoryCache& cache);

  /// Whether the index leads to each entry, tasks that sets refer to know it, and an exclusion stands where a
  /// set of mutexinoutset does. Threads: as for the others.
  bool is_valid();

  bool is_empty() const { return entries_.empty() && all_memory_.size() == 0; }

  /// Addresses it has room for before it grows. A few times as many as incomplete tasks name: what only
  /// complete tasks named is forgotten when room is wanted, and the tasks with it.
  std::size_t capacity() const { return index_.capacity(); }

  static constexpr std::uint32_t kGuard = 1u << 30;

 private:
  struct alignas(kCacheLine) Entry {
    void* address = nullptr;
    TaskSet current;
    TaskSet previous;
    Exclusion* exclusion = nullptr;  // of the current set, if it is a mutexinoutset
  };
  static_assert(sizeof(Entry) == kCacheLine);
  // Of a task that is being made to wait; see add_accesses().
  struct Accesses;
  // Its edges, for SuccessorList: one in the task, then blocks of growing size.
  struct Edges {
    Accesses& accesses;
    Edge& next();
    bool has(const Edge& edge) const;
  };

  Entry& find(void* address, MemoryCache& cache);
  [[gnu::noinline]] Entry& enter(void* address, AddressIndex::Free free);
  [[gnu::cold]] void make_room(MemoryCache& cache);
  void forget_complete(MemoryCache& cache);
  static bool is_complete(Entry& entry);
  void open_set(Entry& entry, AccessKind kind, MemoryCache& cache);
  void prune(TaskSet& set, MemoryCache& cache);
  void forget(Entry& entry, MemoryCache& cache);
  void drop_all(TaskSet& set, MemoryCache& cache);
  void attach_exclusions(Task& task, std::span<const Dependence> dependences, MemoryCache& cache);

  ReleaseTask release_;
  std::vector<Entry> entries_;
  AddressIndex index_;  // of the entries
  TaskSet all_memory_;  // the last task with omp_all_memory
};

/// One predecessor of `task` is complete. Returns true where it was the last: the task is ready.
/// Ordering: what all predecessors did is visible to the thread that gets true.
inline bool release_one(Task& task) {
  return task.pending.release_one();
}

/// Ends the set-up: takes the guard away. Returns true where nothing is left to wait for.
inline bool arm(Task& task, std::uint32_t edges) {
  if (edges == 0) return true;  // nobody else knows the task
  const std::uint32_t drop = DependenceTable::kGuard - edges;
  return task.pending.release(drop);
}

}  // namespace heddle
