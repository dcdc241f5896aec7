// Where processes and their threads are: processes in blocks on the nodes, each thread on a core of its own,
// in order, and sockets of as many cores each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "simulate/engine/setting.hpp"

namespace heddle::simulate {

/// Of so many processes on all nodes.
inline int node_of(int process, int processes, int nodes) {
  return static_cast<int>(std::int64_t{process} * nodes / processes);
}

/// The socket of each of a process' threads, by number on its node.
inline std::vector<int> sockets_of(int process, int processes, const Setting& setting) {
  const int node = node_of(process, processes, setting.nodes);
  int first = process;  // on this node
  while (first > 0 && node_of(first - 1, processes, setting.nodes) == node) --first;
  const int most = (processes + setting.nodes - 1) / setting.nodes;
  const std::int64_t cores = std::max(setting.cores, most * setting.workers);
  std::vector<int> result;
  for (int worker = 0; worker < setting.workers; ++worker) {
    const std::int64_t core = std::int64_t{process - first} * setting.workers + worker;
    result.push_back(static_cast<int>(core * setting.sockets / cores));
  }
  return result;
}

}  // namespace heddle::simulate
