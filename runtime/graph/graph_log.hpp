// Recorded graphs, written to a file for tools that look at them: what 'heddle graph' reads.
//
// clang-format off
// Lines, after the first, which is "heddle graph 1":
//   c N ADDRESS SYMBOL FILE        code N: where the compiler put a task's body, as an address within its file
//   g NUMBER ID EXECUTIONS NODES   a graph, with its graph_id; what follows is about it
//   n I N PRIORITY TIMES NS        node I runs code N (-1: a join, or none); it ran so often, and so long in all
//   e I J                          J waits for I
//   o I J                          J waits for I of the execution before
// clang-format on
//
// Nodes are numbered in the order of their segments. Edges that others imply are left out.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "graph/graph.hpp"
#include "graph/recording.hpp"
#include "sys/backtrace.hpp"

namespace heddle {

class GraphLog {
 public:
  /// Errors: a warning where the file cannot be written; then nothing is.
  explicit GraphLog(const std::string& file);
  ~GraphLog();
  GraphLog(const GraphLog&) = delete;
  GraphLog& operator=(const GraphLog&) = delete;

  /// Threads: one at a time.
  void write(const Graph& graph, std::uint64_t id, std::uint64_t executions);

 private:
  void write_edge(char kind, std::uint32_t from, std::uint32_t to);

  std::FILE* file_;
  int graphs_ = 0;
  CodeNumbers codes_;
};

// A recorded region as a picture: the DOT language of Graphviz.

/// Nodes by their numbers in the order of creation, joins as points; an edge leads to the node that waits.
/// The layout is that of LLVM's runtime, which its tests compare byte for byte.
std::string dot_of(const Recording& recording, const std::string& label);

/// Writes it, whole or not at all. Errors: a warning where the file cannot be written.
void write_dot(const Recording& recording, const std::string& label, const std::string& file);

}  // namespace heddle
