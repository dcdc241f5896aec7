// A task of a recorded region, as it is executed again and again.
#pragma once

#include <cstdint>
#include <cstring>

#include "graph/stack_copy.hpp"

namespace heddle {

/// How a node is executed: code and data are a TaskBody's.
using RunNode = void (*)(void* code, void* data);

/// What a node has in common with others of its construct.
struct NodeKind {
  RunNode run = nullptr;  // null: a join
  void* code = nullptr;
  std::uint32_t bytes = 0;  // of the image or the copy, in whole words
  std::int32_t priority = 0;
  std::uint16_t flags = 0;             // of Task: those that its body can tell
  bool waits_for_descendants = false;  // it is not complete before they are
  std::uint16_t header_bytes = 0;      // of the data: the runtime's own, in front of the compiler's
  bool moves = false;                  // the body gets a copy of its data, on its stack

  bool operator==(const NodeKind&) const = default;
};

inline constexpr NodeKind kJoin;

struct GraphNode {
  const NodeKind* kind = &kJoin;
  char* data = nullptr;  // what the body gets, with the image behind it; or what it gets a copy of

  bool is_join() const { return kind->run == nullptr; }
  const void* image() const { return data + kind->bytes; }
  /// Executes it. Requires: it is no join; nobody else does, unless the data move; everything before it is
  /// complete.
  void execute() const {
    const NodeKind& of = *kind;
    if (of.moves) return run_with_copy(of.run, of.code, data, of.bytes);
    if (of.bytes != 0) std::memcpy(data, image(), of.bytes);
    of.run(of.code, data);
  }
};

}  // namespace heddle
