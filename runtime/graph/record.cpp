#include "graph/record.hpp"

namespace heddle {

void Record::make(Recording& recording, Bundles bundles) {
  graph_ = std::make_unique<Graph>(recording, bundles);
  graph_->set_origin(origin_);
}

const Graph& Record::graph(Bundles bundles) {
  if (graph_ == nullptr) {
    Recording recording(*task_log_, overlaps_);
    make(recording, bundles);
  }
  return *graph_;
}

void Record::measure(Bundles bundles) {
  graph(bundles);
  graph_->measure();
}

}  // namespace heddle
