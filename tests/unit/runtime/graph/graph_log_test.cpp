#include "graph/graph_log.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "graph/recorded_regions.hpp"

namespace heddle {
namespace {

TEST(GraphLog, HasTasksTimesAndEdgesOfEachGraph) {
  Recording recording(true);
  RecordedTask body;
  body.run = [](void*, void*) {};
  const Dependence first{test::address_of(0), AccessKind::kOut, false};
  const Dependence both[] = {{test::address_of(0), AccessKind::kIn, false},
                             {test::address_of(1), AccessKind::kOut, false}};
  recording.add_task(body, {&first, 1}, Gate::kNo);
  recording.add_task(body, {&first, 1}, Gate::kNo);
  body.priority = 3;
  recording.add_task(body, both, Gate::kNo);
  Graph graph(recording);
  graph.measure();
  NodeTime& time = *graph.time_of(graph.nodes()[1]);
  time.times.store(2);
  time.ns.store(700);

  const std::string file =
      std::filesystem::temp_directory_path() / ("heddle-graph-" + std::to_string(getpid()));
  {
    GraphLog log(file);
    log.write(graph, 7, 2);
    log.write(graph, 8, 1);
  }
  std::ifstream in(file);
  std::string text, line;
  while (std::getline(in, line))
    if (!line.starts_with("c ")) text += line + '\n';
  std::filesystem::remove(file);
  const std::string nodes = "n 0 0 0 0 0\nn 1 0 0 2 700\nn 2 0 3 0 0\n";
  // What reads waits for who wrote last; who writes next waits for both, and who writes the other address for
  // who did.
  const std::string edges = "e 0 1\ne 1 2\no 2 2\no 2 0\n";
  EXPECT_EQ(text, "heddle graph 1\ng 0 7 2 3\n" + nodes + edges + "g 1 8 1 3\n" + nodes + edges);
}

}  // namespace
}  // namespace heddle
