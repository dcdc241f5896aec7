#include "graph/graph_log.hpp"

#include <cinttypes>
#include <cstdio>
#include <fstream>

#include "sys/fatal.hpp"

namespace heddle {

GraphLog::GraphLog(const std::string& file) : file_(std::fopen(file.c_str(), "we")) {
  if (file_ == nullptr)
    warn("HEDDLE_GRAPH_LOG='%s' cannot be written; there will be no log", file.c_str());
  else
    std::fputs("heddle graph 1\n", file_);
  if (file_ != nullptr) std::fflush(file_);  // or a child of this process would write it again
}

GraphLog::~GraphLog() {
  if (file_ != nullptr) std::fclose(file_);
}

void GraphLog::write(const Graph& graph, std::uint64_t id, std::uint64_t executions) {
  if (file_ == nullptr) return;
  for (const GraphNode& node : graph.nodes())
    if (!node.is_join()) codes_.of(node.kind->code, file_);
  std::fprintf(file_, "g %d %" PRIu64 " %" PRIu64 " %zu\n", graphs_++, id, executions, graph.nodes().size());
  for (const GraphSegment& segment : graph.segments()) {
    std::uint32_t i = segment.first_node;
    for (const GraphNode& node : graph.nodes_of(segment)) {
      const NodeTime* const time = graph.time_of(node);
      std::fprintf(file_, "n %u %d %d %" PRIu64 " %" PRIu64 "\n", i++,
                   node.is_join() ? -1 : codes_.of(node.kind->code, file_), segment.priority,
                   time != nullptr ? time->times.load() : 0, time != nullptr ? time->ns.load() : 0);
    }
  }
  for (Graph::SegmentIndex s = 0; s < graph.segments().size(); ++s) {
    const GraphSegment& segment = graph.segments()[s];
    const std::uint32_t end = segment.first_node + segment.nodes;
    if (!segment.is_bundle())
      for (std::uint32_t i = segment.first_node; i + 1 < end; ++i) write_edge('e', i, i + 1);
    const auto write_edges = [&](char kind, const GraphSegment& next) {
      for (std::uint32_t i = segment.is_bundle() ? segment.first_node : end - 1; i < end; ++i)
        for (std::uint32_t j = 0; j < (next.is_bundle() ? next.nodes : 1); ++j)
          write_edge(kind, i, next.first_node + j);
    };
    for (const Graph::SegmentIndex next : graph.successors_of(s)) write_edges('e', graph.segments()[next]);
    for (const Graph::SegmentIndex next : graph.carried_from(s)) write_edges('o', graph.segments()[next]);
  }
  std::fflush(file_);
}

void GraphLog::write_edge(char kind, std::uint32_t from, std::uint32_t to) {
  std::fprintf(file_, "%c %u %u\n", kind, from, to);
}

std::string dot_of(const Recording& recording, const std::string& label) {
  std::string text = "digraph TDG {\n   compound=true\n   subgraph cluster {\n      label=" + label + '\n';
  for (NodeIndex i = 0; i < recording.nodes().size(); ++i) {
    const RecordedNode& node = recording.nodes()[i];
    text += "      " + std::to_string(i) + (node.is_join() ? "[shape=point]\n" : "[style=bold]\n");
  }
  std::string edges;
  // By predecessor, as a reader looks for what follows.
  std::vector<std::vector<NodeIndex>> successors(recording.nodes().size());
  for (NodeIndex i = 0; i < recording.nodes().size(); ++i)
    for (const NodeIndex p : recording.predecessors_of(i)) successors[p].push_back(i);
  for (NodeIndex p = 0; p < successors.size(); ++p)
    for (const NodeIndex i : successors[p])
      edges += "   " + std::to_string(p) + " -> " + std::to_string(i) + " \n";
  return text + "   }\n" + edges + '}';
}

void write_dot(const Recording& recording, const std::string& label, const std::string& file) {
  const std::string fresh = file + ".new";
  std::ofstream out(fresh, std::ios::binary);
  out << dot_of(recording, label);
  out.close();
  if (out && std::rename(fresh.c_str(), file.c_str()) == 0) return;
  std::remove(fresh.c_str());
  warn("%s: the picture of a taskgraph cannot be written there", file.c_str());
}

}  // namespace heddle
