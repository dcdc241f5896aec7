#include "graph/access_history.hpp"

#include <algorithm>

namespace heddle {
namespace {

// From so many on a second task that waits for them is worth a join.
constexpr std::size_t kMany = 4;

AccessKind kind_of(const Dependence& dependence) {
  return dependence.kind == AccessKind::kMutexInOutSet ? AccessKind::kOut : dependence.kind;
}

bool joins(AccessKind kind, AccessKind set) {
  return is_sharing(kind) && kind == set;
}

}  // namespace

void AccessHistory::look_up(std::span<const Dependence> dependences) {
  named_.clear();
  for (const Dependence& d : dependences) {
    if (d.is_all_memory || d.address == nullptr) {
      named_.push_back(nullptr);
      continue;
    }
    const auto [at, is_new] = entries_.try_emplace(d.address);
    // The last task with omp_all_memory has written everything.
    if (is_new) at->second.current = all_memory_;
    named_.push_back(&at->second);
  }
}

bool AccessHistory::is_crowded(const Entry* entry, const Dependence& dependence) {
  return entry != nullptr && joins(kind_of(dependence), entry->kind) && entry->previous.size() >= kMany;
}

const AccessHistory::Set& AccessHistory::awaited(const Entry& entry, const Dependence& dependence) {
  return joins(kind_of(dependence), entry.kind) ? entry.previous : entry.current;
}

std::span<const NodeIndex> AccessHistory::collect(std::span<const Dependence> dependences) {
  if (dependences.size() == 1 && named_.front() != nullptr)
    return awaited(*named_.front(), dependences.front());
  found_.clear();
  const auto append = [this](const Set& set) {
    for (const NodeIndex node : set) found_.push_back(node);
  };
  for (std::size_t i = 0; i < dependences.size(); ++i) {
    if (dependences[i].is_all_memory) {
      append(all_memory_);
      for (const auto& [address, entry] : entries_) append(entry.current);
    } else if (const Entry* const entry = named_[i]) {
      append(awaited(*entry, dependences[i]));
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
    all_memory_ = {node};
    return;
  }
  for (std::size_t i = 0; i < dependences.size(); ++i)
    if (named_[i] != nullptr) access(*named_[i], kind_of(dependences[i]), node);
}

void AccessHistory::access(Entry& entry, AccessKind kind, NodeIndex node) {
  const bool is_again = !entry.current.empty() && entry.current.back() == node;
  if (joins(kind, entry.kind)) {
    if (!is_again) entry.current.push_back(node);
    return;
  }
  // Where an item before it in the same clause names this address as well, both make one access, which
  // writes.
  if (is_again) {
    kind = AccessKind::kOut;
    entry.current.pop_back();
  }
  if (!entry.current.empty()) {
    entry.previous.swap(entry.current);
    entry.current.clear();
  }
  entry.kind = kind;
  entry.current.push_back(node);
}

}  // namespace heddle
