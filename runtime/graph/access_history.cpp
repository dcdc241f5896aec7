#include "graph/access_history.hpp"
#include "sched/limits.hpp"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

AccessKind kind_of(const Dependence& dependence) {
  return dependence.kind == AccessKind::kMutexInOutSet ? AccessKind::kOut : dependence.kind;
}

bool joins(AccessKind kind, AccessKind set) {
  return is_sharing(kind) && kind == set;
}

}  // namespace

void AccessHistory::look_up(std::span<const Dependence> dependences) {
  named_.clear();
  for (const Dependence& d : dependences)
    named_.push_back(d.is_all_memory || d.address == nullptr ? kNoEntry : entry_of(d.address));
}

std::uint32_t AccessHistory::entry_of(const void* address) {
  if (index_.size() == index_.capacity()) [[unlikely]]
    index_.rebuild(2 * index_.capacity(), static_cast<std::uint32_t>(entries_.size()),
                   [this](std::uint32_t number) { return entries_[number].address; });
  const Entry& entry = index_.find(
      address, [this](std::uint32_t number) -> Entry& { return entries_[number]; },
      [&](const AddressIndex::Free& free) -> Entry& { return enter(address, free); });
  return static_cast<std::uint32_t>(&entry - entries_.data());
}

AccessHistory::Entry& AccessHistory::enter(const void* address, AddressIndex::Free free) {
  index_.take(free);
  // The last task with omp_all_memory has written everything.
  return entries_.emplace_back(Entry{address, all_memory_});
}

bool AccessHistory::is_oversubscribed(std::uint32_t entry, const Dependence& dependence) const {
  return entry != kNoEntry && entries_[entry].previous.size >= limits::kJoined &&
         joins(kind_of(dependence), entries_[entry].kind);
}

std::span<const NodeIndex> AccessHistory::awaited(std::uint32_t entry, const Dependence& dependence) const {
  const Entry& of = entries_[entry];
  return nodes_of(joins(kind_of(dependence), of.kind) ? of.previous : of.current);
}

std::span<const NodeIndex> AccessHistory::collect(std::span<const Dependence> dependences) {
  if (dependences.size() == 1 && named_.front() != kNoEntry)
    return awaited(named_.front(), dependences.front());
  found_.clear();
  const auto append = [this](std::span<const NodeIndex> nodes) {
    found_.insert(found_.end(), nodes.begin(), nodes.end());
  };
  for (std::size_t i = 0; i < dependences.size(); ++i) {
    if (dependences[i].is_all_memory) {
      append(nodes_of(all_memory_));
      for (const Entry& entry : entries_) append(nodes_of(entry.current));
    } else if (named_[i] != kNoEntry) {
      append(awaited(named_[i], dependences[i]));
    }
  }
  sort_found();
  return found_;
}

void AccessHistory::sort_found() {
  constexpr std::size_t kFew = 16;
  if (found_.size() > kFew) {
    std::ranges::sort(found_);
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    return;
  }
  std::size_t sorted = 0;
  for (const NodeIndex node : found_) {
    std::size_t at = sorted;
    while (at > 0 && found_[at - 1] > node) --at;
    if (at > 0 && found_[at - 1] == node) continue;
    for (std::size_t i = sorted++; i > at; --i) found_[i] = found_[i - 1];
    found_[at] = node;
  }
  found_.resize(sorted);
}

void AccessHistory::add(NodeIndex node, std::span<const Dependence> dependences) {
  if (std::ranges::any_of(dependences, &Dependence::is_all_memory)) {
    entries_.clear();
    index_.clear();
    more_.clear();
    all_memory_ = {.size = 1, .where = node};
    return;
  }
  for (std::size_t i = 0; i < dependences.size(); ++i)
    if (named_[i] != kNoEntry) access(entries_[named_[i]], kind_of(dependences[i]), node);
}

void AccessHistory::access(Entry& entry, AccessKind kind, NodeIndex node) {
  Set& current = entry.current;
  const bool is_again = current.size != 0 && nodes_of(current).back() == node;
  if (joins(kind, entry.kind)) {
    if (!is_again) add(current, node);
    return;
  }
  // Where an item before it in the same clause names this address as well, both make one access, which
  // writes.
  if (is_again) {
    kind = AccessKind::kOut;
    --current.size;
  }
  if (current.size != 0) {
    std::swap(entry.previous, current);
    clear(current);
  }
  entry.kind = kind;
  add(current, node);
}

void AccessHistory::add_another(Set& set, NodeIndex node) {
  if (set.size == set.room) {
    const auto where = static_cast<std::uint32_t>(more_.size());
    more_.resize(where + 2 * std::size_t{set.room});
    std::ranges::copy(nodes_of(set), &more_[where]);
    set.where = where;
    set.room *= 2;
  }
  more_[set.where + set.size] = node;
}

}  // namespace heddle
