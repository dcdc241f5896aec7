// Tags of messages: few, whatever the mesh. Messages of one kind between two ranks are told apart by their
// order.
#pragma once

namespace heddle::exchange {

inline constexpr int kGhostTag = 0;  // and one for each axis
inline constexpr int kMarksTag = 8;
inline constexpr int kBlockTag = 9;

/// Messages between tasks, of which several may be on their way at once, are numbered: so many for each
/// direction of full groups of variables, then of the last group, if it is smaller. MPI promises tags up to
/// 32,767.
inline constexpr int kNumberedTag = 16;
inline constexpr int kNumberedTags = 5000;

}  // namespace heddle::exchange
