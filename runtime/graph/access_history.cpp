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
    if (is_new && has_all_memory_) at->second.current = {since_all_memory_.front()};
    named_.push_back(&at->second);
  }
}

bool AccessHistory::is_crowded(const Entry* entry, const Dependence& dependence) {
  return entry != nullptr && joins(kind_of(dependence), entry->kind) && entry->previous.size() >= kMany;
}

void AccessHistory::collect(std::span<const Dependence> dependences) {
  found_.clear();
  for (std::size_t i = 0; i < dependences.size(); ++i) {
    const Dependence& d = dependences[i];
    if (d.is_all_memory) {
      found_.insert(found_.end(), since_all_memory_.begin(), since_all_memory_.end());
    } else if (const Entry* const entry = named_[i]) {
      const auto& set = joins(kind_of(d), entry->kind) ? entry->previous : entry->current;
      found_.insert(found_.end(), set.begin(), set.end());
    }
  }
  if (found_.size() < 2) return;
  std::ranges::sort(found_);
  found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
}

void AccessHistory::add(NodeIndex node, std::span<const Dependence> dependences) {
  if (std::ranges::any_of(dependences, &Dependence::is_all_memory)) {
    entries_.clear();
    since_all_memory_ = {node};
    has_all_memory_ = true;
    return;
  }
  for (std::size_t i = 0; i < dependences.size(); ++i)
    if (named_[i] != nullptr) access(*named_[i], kind_of(dependences[i]), node);
  since_all_memory_.push_back(node);
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
