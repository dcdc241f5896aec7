#include "team/flight.hpp"

namespace heddle {

Flight::Flight(const Graph& graph) {
  const std::size_t count = graph.overlaps() ? kInstances : 1;
  for (std::size_t i = 0; i < count; ++i) ring_.push_back(std::make_unique<ReplayInstance>(graph, i == 0));
  for (std::size_t i = 0; i < count; ++i) ring_[i]->set_next(*ring_[(i + 1) % count]);
  next_ = ring_.front().get();
}

void Flight::begin(Member& me, bool is_awaited) {
  GraphInstance& instance = *next_;
  Task& parent = *me.current;
  wait_for(me, instance);
  if (!instance.is_ready_for(parent)) {
    // Nobody may count down what is being made anew.
    wait(me);
    for (const auto& each : ring_) each->prepare(parent);
  }
  start(me, instance, is_awaited ? nullptr : parent.group);
  next_ = &instance.next();
}

void Flight::wait(Member& me) {
  for (const auto& instance : ring_) wait_for(me, *instance);
}

}  // namespace heddle
