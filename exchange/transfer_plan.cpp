#include "exchange/transfer_plan.hpp"

namespace heddle::exchange {

template <int D, int R>
TransferPlan<D, R>::TransferPlan(const mesh::Part<D, R>& part, const BlockStore& store) {
  const auto slot_of = [&](int local) {
    return part.is_own(local) ? slots_[static_cast<std::size_t>(local)] : kRemote;
  };
  for (int leaf = 0; leaf < part.own(); ++leaf) slots_.push_back(store.slot(part.leaf(leaf).number));
  begins_.reserve(slots_.size() * mesh::kFaces<D> + 1);
  for (int leaf = 0; leaf < part.own(); ++leaf) {
    for (int f = 0; f < mesh::kFaces<D>; ++f) {
      begins_.push_back(static_cast<int>(transfers_.size()));
      const auto& face = part.faces(leaf)[f];
      Transfer transfer{slot(leaf), slot(leaf), Operator::boundary, static_cast<unsigned char>(f),
                        face.subface};
      switch (face.kind) {
        case mesh::FaceKind::boundary:
          transfers_.push_back(transfer);
          break;
        case mesh::FaceKind::same:
        case mesh::FaceKind::coarser:
          transfer.source = slot_of(face.leaf[0]);
          transfer.op = face.kind == mesh::FaceKind::same ? Operator::same_level : Operator::from_coarse;
          transfers_.push_back(transfer);
          break;
        case mesh::FaceKind::finer:
          transfer.op = Operator::from_fine;
          for (int subface = 0; subface < face.count(); ++subface) {
            transfer.source = slot_of(face.leaf[subface]);
            transfer.subface = static_cast<unsigned char>(subface);
            transfers_.push_back(transfer);
          }
          break;
      }
    }
  }
  begins_.push_back(static_cast<int>(transfers_.size()));
}

template <int D, int R>
LeavesByReach TransferPlan<D, R>::by_reach() const {
  LeavesByReach result;
  std::vector<int> border;
  for (int leaf = 0; leaf < leaves(); ++leaf) {
    (any_is_remote(into(leaf)) ? border : result.all).push_back(leaf);
  }
  result.inner_count = result.all.size();
  result.all.insert(result.all.end(), border.begin(), border.end());
  return result;
}

template class TransferPlan<2, 2>;
template class TransferPlan<2, 3>;
template class TransferPlan<3, 2>;
template class TransferPlan<3, 3>;

}  // namespace heddle::exchange
