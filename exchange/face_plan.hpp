// The exchange of whole face layers between ranks as a list of messages, one to and one from each rank that
// lies across a face.
//
// Words: a *layer* is what a leaf has along one of its faces. A rank gets each layer once, however many of
// its leaves look at it; layers received are numbered, message by message.
//
// Invariant: what one rank sends another is what that one receives from it, layer by layer: by the leaf that
// has it, then its face.
#pragma once

#include <vector>

#include "exchange/transfer_plan.hpp"

namespace heddle::exchange {

struct SentLayer {
  int slot = -1;
  int leaf = -1;  // local index
  unsigned char face = 0;
};

/// To and from one rank.
struct FaceMessage {
  int rank = 0;
  std::vector<SentLayer> sent;
  int first_received = 0;  // layers first_received .. first_received + received - 1
  int received = 0;
};

template <int D, int R>
class FacePlan {
 public:
  FacePlan() = default;
  /// Requires: the transfers are those of the part.
  FacePlan(const mesh::Part<D, R>& part, const TransferPlan<D, R>& transfers);

  /// In the order of ranks.
  [[nodiscard]] const std::vector<FaceMessage>& messages() const { return messages_; }
  /// Layers received in all.
  [[nodiscard]] int received() const { return received_; }
  /// The layer that a remote transfer of TransferPlan::all() reads. Requires: it is remote.
  [[nodiscard]] int layer(std::ptrdiff_t transfer) const {
    return layers_[static_cast<std::size_t>(transfer)];
  }

 private:
  std::vector<FaceMessage> messages_;
  std::vector<int> layers_;  // by transfer; -1 where it is not remote
  int received_ = 0;
};

extern template class FacePlan<2, 2>;
extern template class FacePlan<2, 3>;
extern template class FacePlan<3, 2>;
extern template class FacePlan<3, 3>;

}  // namespace heddle::exchange
