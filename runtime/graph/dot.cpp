#include "graph/dot.hpp"

#include <cstdio>
#include <fstream>

#include "sys/fatal.hpp"

namespace heddle {

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
