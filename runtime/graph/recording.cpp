#include "graph/recording.hpp"

#include <algorithm>

#include "sys/fatal.hpp"

namespace heddle {

namespace {

// Whether two tasks with the same dependence may run at the same time.
bool is_shared(const Dependence& dependence) {
  if (dependence.is_all_memory) return false;
  return dependence.address == nullptr || dependence.kind == AccessKind::kIn ||
         dependence.kind == AccessKind::kInOutSet;
}

}  // namespace

Recording::Recording(const TaskLog& task_log, bool overlaps) : overlaps_(overlaps) {
  nodes_.reserve(task_log.size());
  std::vector<Dependence> room;
  task_log.for_each_run([&](const TaskLog::Run& run) {
    run.for_each([&](const TaskLog::Entry& entry) { add_entry(run, entry, room); });
  });
}

void Recording::add_entry(const TaskLog::Run& run, const TaskLog::Entry& entry,
                          std::vector<Dependence>& room) {
  switch (run.what()) {
    case TaskLog::What::kTask:
      return add_task(entry.node(), entry.event(), entry.dependences(room), run.gate());
    case TaskLog::What::kWait:
      return add_wait();
    case TaskLog::What::kWaitFor:
      return add_wait(entry.dependences(room));
    case TaskLog::What::kGroupBegin:
      return begin_group();
    case TaskLog::What::kGroupEnd:
      return end_group();
  }
}

RecordedNode& Recording::add(const GraphNode& node, std::span<const NodeIndex> predecessors) {
  const auto first = static_cast<std::uint32_t>(edges_.size());
  for (const NodeIndex p : predecessors) add_edge(p);
  // A task that waits for a node behind the gate waits for the gate, too.
  if (gate_ != kNoGate && (predecessors.empty() || predecessors.back() < gate_)) add_edge(gate_);
  return nodes_.emplace_back(RecordedNode{node, first});
}

NodeIndex Recording::add_join(std::span<const NodeIndex> predecessors) {
  add({}, predecessors);
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

void Recording::add_task(const GraphNode& task, GraphEvent* event, std::span<const Dependence> dependences,
                         Gate gate) {
  history_.make_joins(dependences, [this](const auto& many) { return add_join(many); });
  const auto index = static_cast<NodeIndex>(nodes_.size());
  std::span<const NodeIndex> predecessors;
  if (!dependences.empty()) predecessors = history_.add(index, dependences);
  RecordedNode& node = add(task, predecessors);
  if (event != nullptr) {
    node.has_event = true;
    events_.emplace(index, event);
  }
  if (overlaps_) keep_accesses(index, dependences);
  if (gate == Gate::kYes) gate_ = index;
}

void Recording::keep_accesses(NodeIndex node, std::span<const Dependence> dependences) {
  accesses_.push_back({node, static_cast<std::uint32_t>(dependences_.size()),
                       static_cast<std::uint32_t>(dependences.size())});
  dependences_.insert(dependences_.end(), dependences.begin(), dependences.end());
}

std::optional<std::vector<Recording::CarriedEdge>> Recording::find_carried() {
  if (gate_ != kNoGate) return {};
  const auto count = static_cast<NodeIndex>(nodes_.size());
  const std::size_t most = 4 * (nodes_.size() + edges_.size()) + 64;
  std::vector<CarriedEdge> carried;
  // The history goes on as if the region's body were executed once more. What comes after that finds the same
  // again: the last access to an address does not depend on the execution before, or nobody waits for it.
  for (const Accesses& of : accesses_) {
    const auto dependences = std::span(dependences_).subspan(of.first, of.count);
    const bool writes = std::ranges::any_of(dependences, [](const Dependence& d) { return !is_shared(d); });
    const RecordedNode& node = nodes_[of.node];
    if (!writes && node.kind->bytes != 0 && !node.kind->moves) carried.push_back({of.node, of.node});
    if (dependences.empty()) continue;
    for (const NodeIndex p : history_.add(count + of.node, dependences))
      if (p < count) carried.push_back({p, of.node});
    if (carried.size() > most) return {};
  }
  return carried;
}

// What was created from `first` on, and nobody waits for yet, is to be waited for.
void Recording::gate_since(NodeIndex first) {
  ends_.clear();
  for (NodeIndex i = first; i < nodes_.size(); ++i)
    if (nodes_[i].successors == 0) ends_.push_back(i);
  if (!ends_.empty()) gate_ = ends_.size() == 1 ? ends_.front() : add_join(ends_);
}

void Recording::add_wait() {
  if (nodes_.empty()) return;
  gate_since(full_gate_);
  full_gate_ = gate_;
}

void Recording::add_wait(std::span<const Dependence> dependences) {
  if (dependences.empty()) return;
  history_.make_joins(dependences, [this](const auto& many) { return add_join(many); });
  const auto awaited = history_.add_waiting_only(dependences);
  if (!awaited.empty()) gate_ = add_join(awaited);
}

void Recording::begin_group() {
  groups_.push_back(static_cast<NodeIndex>(nodes_.size()));
}

void Recording::end_group() {
  HEDDLE_ASSERT(!groups_.empty());
  const NodeIndex first = groups_.back();
  groups_.pop_back();
  gate_since(first);
}

}  // namespace heddle
