// The patterns of grain.c on oneTBB: as tasks of a task_group where they depend on nothing, and as a flow
// graph that is built once and executed again and again. As many threads as OMP_NUM_THREADS says.
//
// Source: oneAPI Threading Building Blocks 1.3, flow graph: continue_node counts the messages of its
// predecessors down and is ready for the next execution by itself.
#include <oneapi/tbb/flow_graph.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include <cstdlib>
#include <deque>
#include <memory>
#include <thread>

#include "patterns.h"

extern "C" const char program_name[];
const char program_name[] = "grain-tbb";

namespace {

namespace flow = oneapi::tbb::flow;
using Node = flow::continue_node<flow::continue_msg>;

void execute_tasks(Pattern, int) {
  oneapi::tbb::task_group group;
  for (long i = 0; i < work.tasks; ++i) group.run([i] { independent_body(i); });
  group.wait();
}

void execute_bursts() {
  for (long first = 0; first < work.tasks; first += kBurst) {
    oneapi::tbb::task_group group;
    for (long i = first; i < first + kBurst && i < work.tasks; ++i) group.run([i] { independent_body(i); });
    group.wait();
  }
}

void execute_in_groups(Pattern pattern, int point) {
  if (pattern == kBursts) return execute_bursts();
  execute_tasks(pattern, point);
}

class Graph {
 public:
  explicit Graph(Pattern pattern) : start_(graph_) {
    for (long i = 0; i < work.tasks; ++i) {
      switch (pattern) {
        case kChains:
          add([i](const auto&) { chain_body(i); });
          connect(i - work.chains, i);
          break;
        case kStencil:
          add([i](const auto&) { stencil_body(i); });
          for (long j = -1; j <= 1; ++j) {
            const long column = i % work.columns + j;
            if (column >= 0 && column < work.columns) connect(i - work.columns + j, i);
          }
          break;
        default:
          add([i](const auto&) { independent_body(i); });
      }
      if (pattern == kChains ? i < work.chains : pattern != kStencil || i < work.columns)
        flow::make_edge(start_, nodes_.back());
    }
  }
  void execute() {
    start_.try_put({});
    graph_.wait_for_all();
  }

 private:
  template <class Body>
  void add(Body body) {
    nodes_.emplace_back(graph_, body);
  }
  void connect(long from, long to) {
    if (from >= 0)
      flow::make_edge(nodes_[static_cast<std::size_t>(from)], nodes_[static_cast<std::size_t>(to)]);
  }

  flow::graph graph_;
  flow::broadcast_node<flow::continue_msg> start_;
  std::deque<Node> nodes_;
};

void execute_graph(Pattern pattern, int point) {
  static std::unique_ptr<Graph> graph;
  static int built_for = -1;
  if (built_for != point) {
    graph = std::make_unique<Graph>(pattern);
    built_for = point;
  }
  graph->execute();
}

constexpr Form kForms[] = {
    {"tasks", {true, false, false, true}, execute_in_groups},
    {"graph", {true, true, true, false}, execute_graph},
};

}  // namespace

int main(int argc, char** argv) {
  const Request request = requested(argc, argv, kForms, 2);
  const int processors = static_cast<int>(std::thread::hardware_concurrency());
  const char* const wanted = std::getenv("OMP_NUM_THREADS");
  const int threads = wanted != nullptr && std::atoi(wanted) > 0 ? std::atoi(wanted) : processors;
  const oneapi::tbb::global_control limit(oneapi::tbb::global_control::max_allowed_parallelism,
                                          static_cast<std::size_t>(threads));
  oneapi::tbb::task_arena arena(threads);
  bool is_right = false;
  arena.execute([&] { is_right = measure(request, threads, processors); });
  return is_right ? 0 : 1;
}
