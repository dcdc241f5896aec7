#include "graph/recording.hpp"

#include <algorithm>
#include <cstring>

namespace heddle {
namespace {

// Words of the image that are addresses within the data it was copied from become addresses within `data`.
void move_own_addresses(void* image, std::size_t bytes, const void* from, void* data) {
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  for (std::size_t at = 0; at + sizeof(begin) <= bytes; at += sizeof(begin)) {
    std::uintptr_t word;
    std::memcpy(&word, static_cast<char*>(image) + at, sizeof word);
    if (word - begin >= bytes) continue;
    word += reinterpret_cast<std::uintptr_t>(data) - begin;
    std::memcpy(static_cast<char*>(image) + at, &word, sizeof word);
  }
}

}  // namespace

NodeIndex Recording::add(RecordedNode& node, std::span<const NodeIndex> predecessors) {
  node.first_predecessor = edges_.size();
  edges_.insert(edges_.end(), predecessors.begin(), predecessors.end());
  // Who waits for a node behind the gate waits for the gate by that.
  if (gate_ != kNoGate && (predecessors.empty() || predecessors.back() < gate_)) edges_.push_back(gate_);
  node.predecessors = static_cast<std::uint32_t>(edges_.size() - node.first_predecessor);
  for (std::size_t e = node.first_predecessor; e < edges_.size(); ++e) has_successor_[edges_[e]] = true;
  nodes_.push_back(node);
  has_successor_.push_back(false);
  if (nodes_.size() > kMostNodes) refuse("it has more than 16 million tasks");
  return static_cast<NodeIndex>(nodes_.size() - 1);
}

NodeIndex Recording::add_join(std::span<const NodeIndex> predecessors) {
  RecordedNode join;
  return add(join, predecessors);
}

void Recording::copy_data(const TaskBody& body, RecordedNode& node) {
  if (body.bytes == 0) return;
  const std::size_t alignment = std::max(body.alignment, alignof(std::uint64_t));
  node.bytes = static_cast<std::uint32_t>(body.bytes);
  node.data = memory_->allocate(body.bytes, alignment);
  void* const image = memory_->allocate(body.bytes, alignment);
  std::memcpy(image, body.data, body.bytes);
  if (body.has_own_addresses) move_own_addresses(image, body.bytes, body.data, node.data);
  node.image = image;
}

void Recording::add_task(const TaskBody& body, std::span<const Dependence> dependences, Gate gate,
                         bool waits_for_descendants) {
  if (!refusal_.empty()) return;
  RecordedNode node;
  node.run = body.run;
  node.code = body.code;
  node.priority = body.priority;
  node.flags = static_cast<std::uint16_t>(body.flags);
  node.waits_for_descendants = waits_for_descendants || !groups_.empty();
  copy_data(body, node);
  std::span<const NodeIndex> predecessors;
  if (!dependences.empty())
    predecessors = history_.predecessors(dependences, [this](const auto& many) { return add_join(many); });
  const NodeIndex index = add(node, predecessors);
  if (!dependences.empty()) history_.add(index, dependences);
  if (gate == Gate::kYes) gate_ = index;
}

// What was created from `first` on, and nobody waits for yet, is to be waited for.
void Recording::gate_since(NodeIndex first) {
  ends_.clear();
  for (NodeIndex i = first; i < nodes_.size(); ++i)
    if (!has_successor_[i]) ends_.push_back(i);
  if (!ends_.empty()) gate_ = ends_.size() == 1 ? ends_.front() : add_join(ends_);
}

void Recording::add_wait() {
  if (!refusal_.empty() || nodes_.empty()) return;
  gate_since(full_gate_);
  full_gate_ = gate_;
}

void Recording::add_wait(std::span<const Dependence> dependences) {
  if (!refusal_.empty() || dependences.empty()) return;
  const auto& awaited =
      history_.predecessors(dependences, [this](const auto& many) { return add_join(many); });
  if (!awaited.empty()) gate_ = add_join(awaited);
}

void Recording::begin_group() {
  groups_.push_back(static_cast<NodeIndex>(nodes_.size()));
}

void Recording::end_group() {
  if (groups_.empty()) return refuse("a taskgroup begins outside and ends in it");
  const NodeIndex first = groups_.back();
  groups_.pop_back();
  if (refusal_.empty()) gate_since(first);
}

void Recording::refuse(std::string_view reason) {
  if (refusal_.empty()) refusal_ = reason;
}

}  // namespace heddle
