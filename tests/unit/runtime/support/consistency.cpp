// No cycle among sequentially consistent accesses and fences: Lahav et al., PLDI 2017, definition of psc.
#include <bitset>
#include <cstddef>
#include <functional>
#include <vector>

#include "support/execution.hpp"

namespace heddle::test {
namespace {

using Bits = std::bitset<kMostEvents>;

class ScOrder {
 public:
  explicit ScOrder(const Graph& graph) : graph_(graph) {
    graph.for_each([&](const Event& event) { events_.push_back(&event); });
    for (std::size_t i = 0; i < events_.size(); ++i)
      if (is_sc(*events_[i])) sc_.push_back(i);
  }

  bool is_consistent() {
    if (sc_.size() < 2) return true;
    make_relations();
    return !has_cycle();
  }

 private:
  static bool is_sc(const Event& event) {
    return !event.is_plain && event.order == std::memory_order_seq_cst;
  }
  static bool is_fence(const Event& event) { return event.what == What::kFence; }

  bool happens_before(std::size_t a, std::size_t b) const { return a != b && happens_[a][b]; }

  void make_relations() {
    const std::size_t n = events_.size();
    happens_.assign(n, {});
    happened_.assign(n, {});
    program_.assign(n, {});
    communication_.assign(n, {});
    coherence_.assign(n, {});
    for (std::size_t a = 0; a < n; ++a)
      for (std::size_t b = 0; b < n; ++b) {
        const Event &first = *events_[a], &second = *events_[b];
        if (a == b) continue;
        if (second.view.before.has(first.id)) {
          happens_[a][b] = true;
          happened_[b][a] = true;
        }
        program_[a][b] = first.id.thread == second.id.thread && first.id.index < second.id.index;
        if (first.location < 0 || first.location != second.location) continue;
        // co and rb: what comes later in modification order than what is written or read.
        if (second.what == What::kWrite) coherence_[a][b] = place(first) < place(second);
        communication_[a][b] = coherence_[a][b];
        // rf, co;rf, rb;rf: what reads that, or from what comes later.
        if (second.what == What::kRead)
          communication_[a][b] =
              first.what == What::kWrite ? place(first) <= place(second) : place(first) < place(second);
      }
  }
  int place(const Event& event) const {
    return graph_.position(event.location, event.what == What::kWrite ? event.id : event.from);
  }

  bool is_elsewhere(std::size_t a, std::size_t b) const {
    return events_[a]->location < 0 || events_[a]->location != events_[b]->location;
  }

  // What is reached by scb from any of `from`.
  Bits reached(const Bits& from) const {
    Bits result;
    const std::size_t n = events_.size();
    Bits by_another_location, through;
    for (std::size_t a = 0; a < n; ++a) {
      if (!from[a]) continue;
      result |= program_[a] | coherence_[a];
      for (std::size_t b = 0; b < n; ++b) {
        if (happens_[a][b] && events_[a]->location >= 0 && events_[a]->location == events_[b]->location)
          result[b] = true;
        if (program_[a][b] && is_elsewhere(a, b)) by_another_location[b] = true;
      }
    }
    for (std::size_t b = 0; b < n; ++b)
      if (by_another_location[b]) through |= happens_[b];
    for (std::size_t b = 0; b < n; ++b) {
      if (!through[b]) continue;
      for (std::size_t c = 0; c < n; ++c)
        if (program_[b][c] && is_elsewhere(b, c)) result[c] = true;
    }
    return result;
  }

  bool orders(std::size_t a, std::size_t b) const {
    using Fence = Operation::Fence;
    const bool is_light_a = is_fence(*events_[a]) && events_[a]->fence == Fence::kLight;
    const bool is_light_b = is_fence(*events_[b]) && events_[b]->fence == Fence::kLight;
    if (is_light_a && (is_light_b || !is_fence(*events_[b]) || events_[b]->fence != Fence::kHeavy))
      return false;
    return !is_light_b || (is_fence(*events_[a]) && events_[a]->fence == Fence::kHeavy);
  }

  bool has_cycle() {
    const std::size_t m = sc_.size();
    std::vector<Bits> next(m);
    for (std::size_t i = 0; i < m; ++i) {
      const std::size_t a = sc_[i];
      Bits from;
      from[a] = true;
      if (is_fence(*events_[a])) from |= happens_[a];
      const Bits by_base = reached(from);
      Bits by_fences;  // hb;eco, for the fences at the end of hb
      if (is_fence(*events_[a]))
        for (std::size_t x = 0; x < events_.size(); ++x)
          if (happens_[a][x]) by_fences |= communication_[x];
      for (std::size_t j = 0; j < m; ++j) {
        const std::size_t b = sc_[j];
        if (i == j || !orders(a, b)) continue;
        bool is_next = by_base[b];
        if (is_fence(*events_[b])) is_next = is_next || (by_base & happened_[b]).any();
        if (is_fence(*events_[a]) && is_fence(*events_[b]))
          is_next = is_next || happens_[a][b] || (by_fences & happened_[b]).any();
        next[i][j] = is_next;
      }
    }
    std::vector<int> state(m, 0);  // 1: on the path, 2: done
    const std::function<bool(std::size_t)> meets_itself = [&](std::size_t i) {
      state[i] = 1;
      for (std::size_t j = 0; j < m; ++j)
        if (next[i][j] && (state[j] == 1 || (state[j] == 0 && meets_itself(j)))) return true;
      state[i] = 2;
      return false;
    };
    for (std::size_t i = 0; i < m; ++i)
      if (state[i] == 0 && meets_itself(i)) return true;
    return false;
  }

  const Graph& graph_;
  std::vector<const Event*> events_;
  std::vector<std::size_t> sc_;
  std::vector<Bits> happens_, happened_, program_, coherence_, communication_;
};

}  // namespace

bool is_consistent(const Graph& graph) {
  return ScOrder(graph).is_consistent();
}

}  // namespace heddle::test
