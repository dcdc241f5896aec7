#include "graph/graph_log.hpp"

#include <gtest/gtest.h>

#include "graph/recorded_regions.hpp"

namespace heddle {
namespace {

TEST(Dot, ShowsTasksJoinsAndEdges) {
  Recording recording;
  RecordedTask body;
  body.run = [](void*, void*) {};
  const Dependence writes{test::address_of(0), AccessKind::kOut, false};
  const Dependence reads{test::address_of(0), AccessKind::kIn, false};
  recording.add_task(body, {&writes, 1}, Gate::kNo);
  recording.add_task(body, {&reads, 1}, Gate::kNo);
  recording.add_task(body, {&reads, 1}, Gate::kNo);
  recording.add_wait();
  recording.add_task(body, {}, Gate::kNo);
  EXPECT_EQ(dot_of(recording, "it"),
            "digraph TDG {\n"
            "   compound=true\n"
            "   subgraph cluster {\n"
            "      label=it\n"
            "      0[style=bold]\n"
            "      1[style=bold]\n"
            "      2[style=bold]\n"
            "      3[shape=point]\n"
            "      4[style=bold]\n"
            "   }\n"
            "   0 -> 1 \n"
            "   0 -> 2 \n"
            "   1 -> 3 \n"
            "   2 -> 3 \n"
            "   3 -> 4 \n"
            "}");
}

}  // namespace
}  // namespace heddle
