#include "exchange/face_plan.hpp"

#include <map>
#include <utility>

namespace heddle::exchange {
namespace {

// A leaf index and a face of that leaf: what layers are sorted by on both sides.
using Place = std::pair<int, int>;

struct Both {
  std::map<Place, SentLayer> sent;
  std::map<Place, std::vector<std::ptrdiff_t>> received;  // the transfers that read it
};

}  // namespace

template <int D, int R>
FacePlan<D, R>::FacePlan(const mesh::Part<D, R>& part, const TransferPlan<D, R>& transfers)
    : layers_(transfers.all().size(), -1) {
  std::map<int, Both> by_rank;
  for (int leaf = 0; leaf < part.own(); ++leaf) {
    for (int f = 0; f < mesh::kFaces<D>; ++f) {
      const auto& face = part.faces(leaf)[f];
      const std::ptrdiff_t first = transfers.into_face(leaf, f).data() - transfers.all().data();
      for (int n = 0; n < face.count(); ++n) {
        const int across = face.leaf[n];
        if (part.is_own(across)) continue;
        Both& both = by_rank[part.owner(across)];
        both.sent[{part.leaf_index(leaf), f}] = {transfers.slot(leaf), leaf, static_cast<unsigned char>(f)};
        both.received[{part.leaf_index(across), f ^ 1}].push_back(first + n);
      }
    }
  }
  for (const auto& [rank, both] : by_rank) {
    FaceMessage message{rank, {}, received_, static_cast<int>(both.received.size())};
    for (const auto& [place, layer] : both.sent) message.sent.push_back(layer);
    for (const auto& [place, readers] : both.received) {
      for (const std::ptrdiff_t transfer : readers) layers_[static_cast<std::size_t>(transfer)] = received_;
      ++received_;
    }
    messages_.push_back(std::move(message));
  }
}

template class FacePlan<2, 2>;
template class FacePlan<2, 3>;
template class FacePlan<3, 2>;
template class FacePlan<3, 3>;

}  // namespace heddle::exchange
