// Tags of messages: few, whatever the mesh. Messages of one kind between two ranks are told apart by their
// order.
#pragma once

namespace heddle::exchange {

inline constexpr int kGhostTag = 0;  // and one for each axis
inline constexpr int kMarksTag = 8;
inline constexpr int kBlockTag = 9;

}  // namespace heddle::exchange
