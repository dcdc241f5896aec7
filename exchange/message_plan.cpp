#include "exchange/message_plan.hpp"

#include <algorithm>
#include <tuple>

namespace heddle::exchange {
namespace {

// A piece, and what it is sorted by.
struct Sorted {
  int rank;
  int receiver;  // leaf index
  int face;      // of the receiver
  Piece piece;

  [[nodiscard]] auto order() const { return std::tuple(rank, receiver, face, piece.subface); }
};

std::vector<Message> messages_of(std::vector<Sorted>& pieces) {
  std::sort(pieces.begin(), pieces.end(),
            [](const Sorted& a, const Sorted& b) { return a.order() < b.order(); });
  std::vector<Message> messages;
  for (const Sorted& sorted : pieces) {
    if (messages.empty() || messages.back().rank != sorted.rank) messages.push_back({sorted.rank, {}});
    messages.back().pieces.push_back(sorted.piece);
  }
  return messages;
}

// What lies across a face gets its values from this side.
Operator seen_from_across(mesh::FaceKind kind) {
  switch (kind) {
    case mesh::FaceKind::finer:
      return Operator::from_coarse;
    case mesh::FaceKind::coarser:
      return Operator::from_fine;
    default:
      return Operator::same_level;
  }
}

}  // namespace

template <int D, int R>
MessagePlan<D, R>::MessagePlan(const mesh::Part<D, R>& part, const TransferPlan<D, R>& transfers) {
  std::array<std::vector<Sorted>, D> sends, receives;
  for (int leaf = 0; leaf < part.own(); ++leaf) {
    for (int f = 0; f < mesh::kFaces<D>; ++f) {
      const auto& face = part.faces(leaf)[f];
      const auto into = transfers.into_face(leaf, f);
      for (int n = 0; n < face.count(); ++n) {
        const int across = face.leaf[n];
        if (part.is_own(across)) continue;
        const auto f_out = static_cast<unsigned char>(f);
        const unsigned char subface =
            face.kind == mesh::FaceKind::finer ? static_cast<unsigned char>(n) : face.subface;
        receives[f / 2].push_back({part.owner(across),
                                   part.leaf_index(leaf),
                                   f,
                                   {transfers.slot(leaf), into[n].op, f_out, subface}});
        sends[f / 2].push_back({part.owner(across),
                                part.leaf_index(across),
                                f ^ 1,
                                {transfers.slot(leaf), seen_from_across(face.kind), f_out, subface}});
      }
    }
  }
  for (int axis = 0; axis < D; ++axis) {
    sends_[axis] = messages_of(sends[axis]);
    receives_[axis] = messages_of(receives[axis]);
  }
}

template class MessagePlan<2, 2>;
template class MessagePlan<2, 3>;
template class MessagePlan<3, 2>;
template class MessagePlan<3, 3>;

}  // namespace heddle::exchange
