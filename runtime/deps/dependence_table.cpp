#include "deps/dependence_table.hpp"

#include <algorithm>
#include <new>

#include "base/address_hash.hpp"
#include "deps/exclusion.hpp"
#include "mem/cache.hpp"

namespace heddle {
namespace {

constexpr std::size_t kFirstCapacity = 64;

std::size_t hash(void* address) {
  return static_cast<std::size_t>(hash_of(address) >> 16);
}

// Memory that lives as long as the task, behind a TaskExtension.
TaskExtension* extend(Task& task, std::size_t bytes, MemoryCache& cache) {
  const std::size_t total = sizeof(TaskExtension) + bytes;
  task.extensions =
      new (cache.allocate(total)) TaskExtension{task.extensions, static_cast<std::uint32_t>(total), &cache};
  task.flags |= Task::kHasExtensions;
  return task.extensions;
}

// Where the edges of one task come from: those inside it first, then blocks of growing size.
class EdgeSource {
 public:
  EdgeSource(Task& task, std::uint32_t& made) : task_(task), made_(made) {}
  Edge& next(MemoryCache& cache) {
    const std::uint32_t index = made_;
    if (index < Task::kInlineEdges) return task_.edges[index];
    // Blocks begin at edge 2, 6, 14, 30 … so that the position in the newest block follows from the index
    // alone.
    const std::uint32_t size = std::bit_floor(index + 2);
    if ((index + 2) == size) extend(task_, size * sizeof(Edge), cache);
    return reinterpret_cast<Edge*>(task_.extensions + 1)[index + 2 - size];
  }

 private:
  Task& task_;
  std::uint32_t& made_;
};

}  // namespace

DependenceTable::~DependenceTable() = default;

std::uint32_t DependenceTable::add(Task& task, std::span<const Dependence> dependences, MemoryCache& cache) {
  std::uint32_t edges = 0;
  bool has_exclusions = false;
  task.pending.store(kGuard, std::memory_order_relaxed);
  for (const Dependence& dependence : dependences) {
    if (dependence.is_all_memory) {
      add_all_memory(task, edges, cache);
      continue;
    }
    if (dependence.address == nullptr) continue;
    Entry& entry = find(dependence.address, cache);
    const bool joins =
        is_sharing(dependence.kind) && entry.kind == dependence.kind && entry.current.size() != 0;
    if (!joins) open_set(entry, dependence.kind, cache);
    add_edges(task, entry.previous, edges, cache);
    if (entry.current.is_full()) prune(entry.current, cache);
    entry.current.add(&task);
    task.name();
    has_exclusions |= dependence.kind == AccessKind::kMutexInOutSet;
  }
  if (has_exclusions) attach_exclusions(task, dependences, cache);
  return edges;
}

std::uint32_t DependenceTable::add_waiting_only(Task& task, std::span<const Dependence> dependences,
                                                MemoryCache& cache) {
  std::uint32_t edges = 0;
  task.pending.store(kGuard, std::memory_order_relaxed);
  for (const Dependence& dependence : dependences) {
    if (dependence.is_all_memory) {
      for (std::uint32_t index : used_) add_edges(task, entries_[index].current, edges, cache);
      add_edges(task, all_memory_, edges, cache);
      continue;
    }
    if (dependence.address == nullptr) continue;
    Entry& entry = find(dependence.address, cache);
    // Every set but the last is complete when the last is; only a reader among readers looks one further
    // back.
    const bool joins = dependence.kind == AccessKind::kIn && entry.kind == AccessKind::kIn;
    add_edges(task, joins ? entry.previous : entry.current, edges, cache);
  }
  return edges;
}

// A task with omp_all_memory waits for the current set of every address and replaces them all.
void DependenceTable::add_all_memory(Task& task, std::uint32_t& edges, MemoryCache& cache) {
  for (std::uint32_t index : used_) add_edges(task, entries_[index].current, edges, cache);
  add_edges(task, all_memory_, edges, cache);
  task.name();  // first: an item before may have named it, which the table forgets now
  clear(cache);
  all_memory_.add(&task);
}

void DependenceTable::open_set(Entry& entry, AccessKind kind, MemoryCache& cache) {
  unname_all(entry.previous, cache);
  std::swap(entry.previous, entry.current);  // and with it the empty set's room
  entry.kind = kind;
  if (entry.exclusion != nullptr) {
    unreference(*entry.exclusion);
    entry.exclusion = nullptr;
  }
  if (kind == AccessKind::kMutexInOutSet) {
    entry.exclusion = new Exclusion;
    entry.exclusion->references = 1;
  }
}

void DependenceTable::add_edges(Task& task, TaskSet& set, std::uint32_t& edges, MemoryCache& cache) {
  EdgeSource source(task, edges);
  for (Task* predecessor : set) {
    if (predecessor == &task || predecessor->successors.is_closed()) continue;
    // Several items may lead to the same predecessor; while that is incomplete its successors are, so the
    // pointer is good.
    if (predecessor->last_successor == &task) continue;
    predecessor->last_successor = &task;
    Edge& edge = source.next(cache);
    edge.successor = &task;
    if (predecessor->successors.push(edge)) ++edges;
  }
}

// A sharing set on one address can grow for as long as the program runs: drop who is complete.
void DependenceTable::prune(TaskSet& set, MemoryCache& cache) {
  std::uint32_t kept = 0;
  for (Task* task : set) {
    if (!task->successors.is_closed())
      set.begin()[kept++] = task;
    else if (task->unname())
      release_(*task, cache);
  }
  set.shrink_to(kept);
}

void DependenceTable::unname_all(TaskSet& set, MemoryCache& cache) {
  for (Task* task : set)
    if (task->unname()) release_(*task, cache);
  set.shrink_to(0);
}

void DependenceTable::clear(MemoryCache& cache) {
  for (std::uint32_t index : used_) forget(entries_[index], cache);
  used_.clear();
  unname_all(all_memory_, cache);
}

void DependenceTable::forget(Entry& entry, MemoryCache& cache) {
  unname_all(entry.current, cache);
  unname_all(entry.previous, cache);
  if (entry.exclusion != nullptr) unreference(*entry.exclusion);
  entry.exclusion = nullptr;
  entry.is_used = false;
}

void DependenceTable::attach_exclusions(Task& task, std::span<const Dependence> dependences,
                                        MemoryCache& cache) {
  // Last of all extensions, so that it is found at their head.
  const std::size_t bytes =
      sizeof(ExclusionList) + dependences.size() * sizeof(Exclusion*) - sizeof(TaskExtension);
  auto& list = *reinterpret_cast<ExclusionList*>(extend(task, bytes, cache));
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
  task.flags |= Task::kHasExclusions;
}

DependenceTable::Entry& DependenceTable::find(void* address, MemoryCache& cache) {
  if (2 * (used_.size() + 1) > entries_.size()) [[unlikely]]
    make_room(cache);
  const std::size_t mask = entries_.size() - 1;
  for (std::size_t i = hash(address) & mask;; i = (i + 1) & mask) {
    Entry& entry = entries_[i];
    if (entry.is_used && entry.address == address) return entry;
    if (!entry.is_used) {
      entry.is_used = true;
      entry.address = address;
      entry.kind = AccessKind::kOut;
      used_.push_back(static_cast<std::uint32_t>(i));
      for (Task* task : all_memory_) {  // what is new to the table still comes after omp_all_memory
        entry.current.add(task);
        task->name();
      }
      return entry;
    }
  }
}

void DependenceTable::make_room(MemoryCache& cache) {
  forget_complete(cache);
  const bool is_half_empty = 4 * (used_.size() + 1) <= entries_.size();
  rehash(is_half_empty ? entries_.size() : std::max(kFirstCapacity, 2 * entries_.size()));
}

// An address that only complete tasks have named is as good as one that none has. The task that is being
// added is not complete.
void DependenceTable::forget_complete(MemoryCache& cache) {
  const auto is_complete = [](const Task* task) { return task->successors.is_closed(); };
  std::erase_if(used_, [&](std::uint32_t index) {
    Entry& entry = entries_[index];
    if (!std::all_of(entry.current.begin(), entry.current.end(), is_complete) ||
        !std::all_of(entry.previous.begin(), entry.previous.end(), is_complete))
      return false;
    forget(entry, cache);
    return true;
  });
}

void DependenceTable::rehash(std::size_t capacity) {
  std::vector<Entry> old = std::move(entries_);
  entries_ = std::vector<Entry>(capacity);
  const std::size_t mask = capacity - 1;
  for (std::uint32_t& index : used_) {
    std::size_t i = hash(old[index].address) & mask;
    while (entries_[i].is_used) i = (i + 1) & mask;
    entries_[i] = std::move(old[index]);
    index = static_cast<std::uint32_t>(i);
  }
}

}  // namespace heddle
