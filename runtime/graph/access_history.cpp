#include "graph/access_history.hpp"

#include <algorithm>
#include <utility>

namespace heddle {
namespace {

void sort_unique(std::vector<NodeIndex>& nodes) {
  constexpr std::size_t kFew = 16;
  if (nodes.size() > kFew) {
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return;
  }
  std::size_t sorted = 0;
  for (const NodeIndex node : nodes) {
    std::size_t at = sorted;
    while (at > 0 && nodes[at - 1] > node) --at;
    if (at > 0 && nodes[at - 1] == node) continue;
    for (std::size_t i = sorted++; i > at; --i) nodes[i] = nodes[i - 1];
    nodes[at] = node;
  }
  nodes.resize(sorted);
}

}  // namespace

struct AccessHistory::Accesses {
  AccessHistory& history;
  const NodeIndex node;

  static AccessKind kind_of(const Dependence& dependence) { return AccessHistory::kind_of(dependence); }

  Entry& entry(const void* address) { return history.entry_of(address); }

  static void open(Entry& entry, AccessKind kind) {
    std::swap(entry.previous, entry.current);  // and with it the old set's room
    entry.current.clear();
    entry.current.kind = kind;
  }

  void enter(Entry& entry) {
    const std::span<const NodeIndex> nodes = history.nodes_of(entry.current);
    if (nodes.empty() || nodes.back() != node) history.add(entry.current, node);
  }

  void wait_for(const Set& set) {
    std::span<const NodeIndex> nodes = history.nodes_of(set);
    if (!nodes.empty() && nodes.back() == node) nodes = nodes.first(nodes.size() - 1);
    history.found_.insert(history.found_.end(), nodes.begin(), nodes.end());
  }

  void wait_for_all() {
    wait_for(history.all_memory_);
    for (const Entry& entry : history.entries_) wait_for(entry.current);
  }

  void enter_all() {
    history.entries_.clear();
    history.index_.clear();
    history.more_.clear();
    history.all_memory_ = {};
    history.add(history.all_memory_, node);
  }
};

std::span<const NodeIndex> AccessHistory::add(NodeIndex node, std::span<const Dependence> dependences) {
  found_.clear();
  Accesses accesses{*this, node};
  add_accesses(accesses, dependences);
  if (found_.size() > 1) sort_unique(found_);
  return found_;
}

std::span<const NodeIndex> AccessHistory::add_waiting_only(std::span<const Dependence> dependences) {
  found_.clear();
  Accesses accesses{*this, UINT32_MAX};
  heddle::add_waiting_only(accesses, dependences);
  if (found_.size() > 1) sort_unique(found_);
  return found_;
}

AccessHistory::Entry& AccessHistory::entry_of(const void* address) {
  if (index_.size() == index_.capacity()) [[unlikely]]
    index_.rebuild(2 * index_.capacity(), static_cast<std::uint32_t>(entries_.size()),
                   [this](std::uint32_t number) { return entries_[number].address; });
  return index_.find(
      address, [this](std::uint32_t number) -> Entry& { return entries_[number]; },
      [&](const AddressIndex::Free& free) -> Entry& { return enter(address, free); });
}

AccessHistory::Entry& AccessHistory::enter(const void* address, AddressIndex::Free free) {
  index_.take(free);
  // The last task with omp_all_memory has written everything.
  return entries_.emplace_back(Entry{address, all_memory_});
}

void AccessHistory::add_another(Set& set, NodeIndex node) {
  if (set.size_ == set.room_) {
    const auto where = static_cast<std::uint32_t>(more_.size());
    more_.resize(where + 2 * std::size_t{set.room_});
    std::ranges::copy(nodes_of(set), &more_[where]);
    set.where_ = where;
    set.room_ *= 2;
  }
  more_[set.where_ + set.size_] = node;
  has_large_sets_ |= set.size_ + 1 >= limits::kJoined;
}

}  // namespace heddle
