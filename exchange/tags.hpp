// Tags of messages: few, whatever the mesh. Messages of one kind between two ranks are told apart by their
// order.
#pragma once

namespace heddle::exchange {

inline constexpr int kGhostTag = 0;  // and one for each axis
inline constexpr int kMarksTag = 8;
inline constexpr int kBlockTag = 9;
/// Blocks that tasks send: of those that are on their way between two ranks each has a tag, from this one on.
inline constexpr int kNumberedBlockTag = 16;

/// Messages between tasks, of which several may be on their way at once, are numbered, in a space of tags for
/// each direction of each group of variables: from this one on, as many as MPI has, but no more than so many
/// in a space.
inline constexpr int kNumberedTag = 32;
inline constexpr int kMostNumbered = 5000;

/// How many tags each of so many spaces has. Requires: highest is at least 32,767, as MPI promises.
constexpr int numbered_tags(int highest, int spaces) {
  const int all = (highest - kNumberedTag) / spaces;
  return all < kMostNumbered ? all : kMostNumbered;
}

}  // namespace heddle::exchange
