#include "deps/dependence_table.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "base/cache_line.hpp"
#include "deps/exclusion.hpp"
#include "mem/cache.hpp"
#include "sys/fatal.hpp"
#include "task/implicit_task.hpp"
#include "trace/tool.hpp"

namespace heddle {

DependenceTable::~DependenceTable() = default;

struct DependenceTable::Accesses {
  DependenceTable& table;
  Task& task;
  MemoryCache& cache;
  Waiting& waiting;
  bool has_exclusions = false;

  static AccessKind kind_of(const Dependence& dependence) { return dependence.kind; }

  Entry& entry(void* address) { return table.find(address, cache); }

  void open(Entry& entry, AccessKind kind) { table.open_set(entry, kind, cache); }

  void enter(Entry& entry) {
    TaskSet& set = entry.current;
    if (set.is_full()) table.prune(set, cache);
    set.add(&task);
    task.add_table_reference();
    has_exclusions |= set.kind == AccessKind::kMutexInOutSet;
  }

  void wait_for(TaskSet& set) {
    // Several items may lead to the same predecessor; the list knows which came last.
    for (Task* predecessor : set) {
      if (predecessor == &task || !predecessor->successors.push(task, Edges{*this})) continue;
      ++waiting.predecessors;
      observe(&Observer::dependence_found, *predecessor, task);
    }
  }

  void wait_for_all() {
    for (Entry& entry : table.entries_) wait_for(entry.current);
    wait_for(table.all_memory_);
  }

  void enter_all() {
    task.add_table_reference();  // first: an item before may have named it, which the table forgets now
    table.clear(cache);
    table.all_memory_.add(&task);
  }
};

std::uint32_t DependenceTable::add(Task& task, std::span<const Dependence> dependences, MemoryCache& cache) {
  Waiting waiting;
  task.pending.reset(kGuard);
  Accesses accesses{*this, task, cache, waiting};
  add_accesses(accesses, dependences);
  if (accesses.has_exclusions) attach_exclusions(task, dependences, cache);
  return waiting.predecessors;
}

std::uint32_t DependenceTable::add_waiting_only(Task& task, std::span<const Dependence> dependences,
                                                MemoryCache& cache) {
  Waiting waiting;
  task.pending.reset(kGuard);
  add_waiting_only(task, dependences, cache, waiting);
  return waiting.predecessors;
}

void DependenceTable::add_export(Task& relay, const Dependence& dependence, MemoryCache& cache,
                                 Waiting& waiting) {
  Accesses accesses{*this, relay, cache, waiting};
  add_accesses(accesses, std::span(&dependence, 1));
}

void DependenceTable::add_waiting_only(Task& task, std::span<const Dependence> dependences,
                                       MemoryCache& cache, Waiting& waiting) {
  Accesses accesses{*this, task, cache, waiting};
  heddle::add_waiting_only(accesses, dependences);
}

void DependenceTable::add_own_task(Task& relay, Task& own, MemoryCache& cache, Waiting& waiting) {
  own.add_table_reference();
  TaskSet only;
  only.add(&own);
  Accesses{*this, relay, cache, waiting}.wait_for(only);
  drop_all(only, cache);
}

void DependenceTable::import(Task& relay, void* address, MemoryCache& cache) {
  if (address == nullptr) return all_memory_.add(&relay);
  Entry& entry = find(address, cache);
  open_set(entry, AccessKind::kOut, cache);
  entry.current.add(&relay);
}

void DependenceTable::open_set(Entry& entry, AccessKind kind, MemoryCache& cache) {
  drop_all(entry.previous, cache);
  std::swap(entry.previous, entry.current);  // and with it the empty set's room
  entry.current.kind = kind;
  if (entry.exclusion != nullptr) {
    unreference(*entry.exclusion);
    entry.exclusion = nullptr;
  }
  if (kind == AccessKind::kMutexInOutSet) {
    entry.exclusion = new Exclusion;
    entry.exclusion->references = 1;
  }
}

Edge& DependenceTable::Edges::next() {
  const std::uint32_t index = accesses.waiting.edges++;
  if (index == 0) return accesses.task.edge;
  // Blocks begin at edge 1, 3, 7, 15 … so that the position in the newest block follows from the index alone.
  const std::uint32_t size = std::bit_floor(index + 1);
  if (index + 1 == size) extend(accesses.task, size * sizeof(Edge), accesses.cache);
  return reinterpret_cast<Edge*>(accesses.task.extensions + 1)[index + 1 - size];
}

bool DependenceTable::Edges::has(const Edge& edge) const {
  if (accesses.waiting.edges == 0) return false;
  if (&edge == &accesses.task.edge) return true;
  const auto at = reinterpret_cast<std::uintptr_t>(&edge);
  for (const TaskExtension* block = accesses.task.extensions; block != nullptr; block = block->next)
    if (at - reinterpret_cast<std::uintptr_t>(block) < block->bytes) return true;
  return false;
}

// A sharing set on one address can grow for as long as the program runs: drop complete tasks.
void DependenceTable::prune(TaskSet& set, MemoryCache& cache) {
  std::uint32_t left = 0;
  for (Task* task : set) {
    if (!task->successors.is_closed())
      set.begin()[left++] = task;
    else if (task->drop_table_reference())
      release_(*task, cache);
  }
  set.shrink_to(left);
}

void DependenceTable::drop_all(TaskSet& set, MemoryCache& cache) {
  for (Task* task : set)
    if (task->drop_table_reference()) release_(*task, cache);
  set.shrink_to(0);
}

bool DependenceTable::is_valid() {
  const auto are_in_table = [](TaskSet& set) {
    return std::all_of(set.begin(), set.end(), [](const Task* task) {
      return (task->flags & Task::kInTable) != 0 && task->table_references != 0;
    });
  };
  if (index_.size() != entries_.size() || !are_in_table(all_memory_)) return false;
  for (Entry& entry : entries_) {
    bool is_found = true;
    const Entry& found = index_.find(
        entry.address, [this](std::uint32_t number) -> Entry& { return entries_[number]; },
        [&](const AddressIndex::Free&) -> Entry& {
          is_found = false;
          return entry;
        });
    if (!is_found || &found != &entry) return false;
    if (!are_in_table(entry.current) || !are_in_table(entry.previous)) return false;
    if ((entry.exclusion != nullptr) != (entry.current.kind == AccessKind::kMutexInOutSet)) return false;
  }
  return true;
}

void DependenceTable::clear(MemoryCache& cache) {
  HEDDLE_ASSERT(is_valid());
  for (Entry& entry : entries_) forget(entry, cache);
  entries_.clear();
  index_.clear();
  drop_all(all_memory_, cache);
}

void DependenceTable::forget(Entry& entry, MemoryCache& cache) {
  drop_all(entry.current, cache);
  drop_all(entry.previous, cache);
  if (entry.exclusion != nullptr) unreference(*entry.exclusion);
  entry.exclusion = nullptr;
}

void DependenceTable::attach_exclusions(Task& task, std::span<const Dependence> dependences,
                                        MemoryCache& cache) {
  // Last of all extensions, so that it is found at their head.
  const std::size_t bytes =
      sizeof(ExclusionList) + dependences.size() * sizeof(Exclusion*) - sizeof(TaskExtension);
  auto& list = reinterpret_cast<ExclusionList&>(extend(task, bytes, cache));
  list.held = 0;
  Exclusion** end = list.items();
  for (const Dependence& dependence : dependences) {
    if (dependence.is_all_memory || dependence.address == nullptr) continue;
    // An address named with two kinds has ended in a set of its own, without an exclusion.
    if (Exclusion* exclusion = find(dependence.address, cache).exclusion) *end++ = exclusion;
  }
  std::sort(list.items(), end);
  end = std::unique(list.items(), end);
  list.count = static_cast<std::uint32_t>(end - list.items());
  for (Exclusion** item = list.items(); item != end; ++item) {
    (*item)->lock.lock();
    ++(*item)->references;
    (*item)->lock.unlock();
  }
  task.flags.set(Task::kHasExclusions);
}

DependenceTable::Entry& DependenceTable::find(void* address, MemoryCache& cache) {
  if (entries_.size() == capacity()) [[unlikely]]
    make_room(cache);
  return index_.find(
      address, [this](std::uint32_t number) -> Entry& { return entries_[number]; },
      [&](const AddressIndex::Free& free) -> Entry& { return enter(address, free); });
}

DependenceTable::Entry& DependenceTable::enter(void* address, AddressIndex::Free free) {
  index_.take(free);
  Entry& entry = entries_.emplace_back();
  entry.address = address;
  for (Task* task : all_memory_) {  // what is new to the table still comes after omp_all_memory
    entry.current.add(task);
    task->add_table_reference_again();  // it may be running
  }
  return entry;
}

void DependenceTable::make_room(MemoryCache& cache) {
  HEDDLE_ASSERT(is_valid());
  forget_complete(cache);
  const bool is_half_empty = 2 * (entries_.size() + 1) <= capacity();
  index_.rebuild(is_half_empty ? capacity() : 2 * capacity(), static_cast<std::uint32_t>(entries_.size()),
                 [this](std::uint32_t n) { return entries_[n].address; });
  entries_.reserve(capacity());
}

// An address that only complete tasks have named is as good as one that none has. The task that is being
// added is not complete.
void DependenceTable::forget_complete(MemoryCache& cache) {
  constexpr std::size_t kAhead = 8;
  std::size_t left = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    // The thread that executed the tasks has them in its cache.
    if (i + kAhead < entries_.size())
      for (TaskSet* set : {&entries_[i + kAhead].current, &entries_[i + kAhead].previous})
        for (const Task* task : *set) prefetch_to_write(&task->successors);
    Entry& entry = entries_[i];
    if (is_complete(entry))
      forget(entry, cache);
    else if (std::exchange(left, left + 1) != i)
      entries_[left - 1] = std::move(entry);
  }
  entries_.resize(left);
}

// The tasks of the current set have waited for those of the previous one.
bool DependenceTable::is_complete(Entry& entry) {
  TaskSet& last = entry.current.size() != 0 ? entry.current : entry.previous;
  return std::all_of(last.begin(), last.end(), [](const Task* task) { return task->successors.is_closed(); });
}

}  // namespace heddle
