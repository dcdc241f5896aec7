// The exchange of ghost cells between ranks as a list of messages: what is packed from which block, and where
// it is unpacked. Made once per mesh, beside the transfers within the rank (transfer_plan.hpp).
//
// Words: a *piece* is what one transfer needs of its source: a face's values, or a subface's. A message is
// the pieces of one axis from one rank to another.
//
// Invariant: both ranks list the pieces of a message in the same order: by the leaf that receives them, its
// face, the subface.
#pragma once

#include <array>
#include <vector>

#include "exchange/transfer_plan.hpp"

namespace heddle::exchange {

struct Piece {
  int slot = -1;                     // of this rank's block: the source of what is sent, else the destination
  Operator op = Operator::boundary;  // as the receiver sees it; never boundary
  unsigned char face = 0;            // of this rank's block
  unsigned char subface = 0;         // of the coarse face
};

struct Message {
  int rank = 0;  // the other one
  std::vector<Piece> pieces;
};

template <int D, int R>
class MessagePlan {
 public:
  MessagePlan() = default;
  /// Requires: the transfers are those of the part.
  MessagePlan(const mesh::Part<D, R>& part, const TransferPlan<D, R>& transfers);

  /// Of one axis, in the order of ranks.
  [[nodiscard]] const std::vector<Message>& sends(int axis) const {
    return sends_[static_cast<std::size_t>(axis)];
  }
  [[nodiscard]] const std::vector<Message>& receives(int axis) const {
    return receives_[static_cast<std::size_t>(axis)];
  }

 private:
  std::array<std::vector<Message>, D> sends_;
  std::array<std::vector<Message>, D> receives_;
};

extern template class MessagePlan<2, 2>;
extern template class MessagePlan<2, 3>;
extern template class MessagePlan<3, 2>;
extern template class MessagePlan<3, 3>;

}  // namespace heddle::exchange
