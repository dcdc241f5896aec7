// A task of a recorded region, as it is executed again and again.
#pragma once

#include <cstdint>
#include <cstring>

#include "graph/stack_copy.hpp"

namespace heddle {

/// How a node is executed: code and data are a TaskBody's.
using RunNode = void (*)(void* code, void* data);

struct GraphNode {
  RunNode run = nullptr;  // null: a join
  void* code = nullptr;
  char* data = nullptr;     // what the body gets, with the image behind it; or what it gets a copy of
  std::uint32_t bytes = 0;  // of the image or the copy, in whole words
  bool waits_for_descendants = false;  // it is not complete before they are
  bool moves = false;                  // the body gets a copy on its stack

  bool operator==(const GraphNode&) const = default;

  const void* image() const { return data + bytes; }
  /// Executes it. Requires: nobody else does, unless the data move; everything before it is complete.
  void execute() const {
    if (moves) return run_with_copy(run, code, data, bytes);
    if (bytes != 0) std::memcpy(data, image(), bytes);
    run(code, data);
  }
};

}  // namespace heddle
