#include "graph/recording.hpp"

#include <algorithm>
#include <cstring>

#include "graph/stack_copy.hpp"
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

RecordedNode& Recording::add(std::span<const NodeIndex> predecessors) {
  const auto first = static_cast<std::uint32_t>(edges_.size());
  for (const NodeIndex p : predecessors) add_edge(p);
  // Who waits for a node behind the gate waits for the gate by that.
  if (gate_ != kNoGate && (predecessors.empty() || predecessors.back() < gate_)) add_edge(gate_);
  RecordedNode& node = nodes_.push_back({});
  node.first_predecessor = first;
  return node;
}

RecordedNode& Recording::add(const TaskBody& body, std::span<const NodeIndex> predecessors) {
  RecordedNode& node = add(predecessors);
  node.run = body.run;
  node.code = body.code;
  node.priority = body.priority;
  node.flags = static_cast<std::uint16_t>(body.flags);
  return node;
}

NodeIndex Recording::add_join(std::span<const NodeIndex> predecessors) {
  add(predecessors);
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

void Recording::copy_data(const TaskBody& body, RecordedNode& node) {
  constexpr std::size_t kWord = sizeof(std::uint64_t);
  const std::size_t whole_words = (body.bytes + kWord - 1) / kWord * kWord;
  node.bytes = static_cast<std::uint32_t>(body.keeps_data ? 0 : whole_words);
  // A task with an event may be at work on its data after its body has returned.
  node.moves = body.data_may_move && !body.keeps_data && body.event == nullptr &&
               fits_stack(whole_words, body.alignment);
  if (node.moves) {
    node.data = static_cast<char*>(memory_->allocate(whole_words, kWord));
    std::memcpy(node.data, body.data, body.bytes);
    return;
  }
  node.data =
      static_cast<char*>(memory_->allocate(whole_words + node.bytes, std::max(body.alignment, kWord)));
  if (body.copy != nullptr)
    body.copy(node.data, const_cast<void*>(body.data));  // as compilers declare what they generate
  else
    std::memcpy(node.data, body.data, body.bytes);
  if (body.destroy != nullptr) memory_->destroy_at_end(body.destroy, node.data);
  std::memcpy(node.data + node.bytes, node.data, node.bytes);
}

void Recording::add_task(const TaskBody& body, std::span<const Dependence> dependences, Gate gate) {
  std::span<const NodeIndex> predecessors;
  if (!dependences.empty())
    predecessors = history_.predecessors(dependences, [this](const auto& many) { return add_join(many); });
  RecordedNode& node = add(body, predecessors);
  node.waits_for_descendants = body.waits_for_descendants || (!groups_.empty() && !body.is_of_group);
  const auto index = static_cast<NodeIndex>(nodes_.size() - 1);
  if (body.event != nullptr) {
    events_.erase(body.data);
    node.has_event = true;
    node_events_.emplace(index, body.event);
  }
  if (body.bytes != 0) copy_data(body, node);
  if (!dependences.empty()) history_.add(index, dependences);
  if (overlaps) keep_accesses(index, dependences);
  if (gate == Gate::kYes) gate_ = index;
}

void Recording::add_task(const TaskBody& body, std::span<const NodeIndex> predecessors) {
  HEDDLE_ASSERT(body.bytes == 0);
  add(body, predecessors).data = static_cast<char*>(const_cast<void*>(body.data));
}

GraphEvent& Recording::event_of(const void* task) {
  GraphEvent*& event = events_[task];
  if (event == nullptr) {
    std::pmr::polymorphic_allocator<GraphEvent> allocator(memory_.get());
    event = new (allocator.allocate(1)) GraphEvent;
  }
  return *event;
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
  // again: who accessed an address last does not depend on the execution before, or nobody waits for it.
  for (const Accesses& of : accesses_) {
    const auto dependences = std::span(dependences_).subspan(of.first, of.count);
    const bool writes = std::ranges::any_of(dependences, [](const Dependence& d) { return !is_shared(d); });
    const RecordedNode& node = nodes_[of.node];
    if (!writes && node.bytes != 0 && !node.moves) carried.push_back({of.node, of.node});
    if (dependences.empty()) continue;
    for (const NodeIndex p : history_.predecessors(dependences))
      if (p < count) carried.push_back({p, of.node});
    history_.add(count + of.node, dependences);
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
  const auto awaited =
      history_.predecessors(dependences, [this](const auto& many) { return add_join(many); });
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
