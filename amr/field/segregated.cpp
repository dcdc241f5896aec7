#include "amr/field/segregated.hpp"

namespace heddle::amr {

SegregatedField::SegregatedField(const Shape& shape, Halo /*halo*/) : shape_(shape) {}

std::size_t SegregatedField::variable_bytes() const {
  return rows_per_brick() * (static_cast<std::size_t>(shape_.nz() + 2) * sizeof(double) + sizeof(double*));
}

int SegregatedField::reserve() {
  if (free_.empty()) {
    free_.push_back(static_cast<int>(slots_.size()));
    auto& rows = slots_.emplace_back(rows_per_brick() * shape_.num_vars);
    for (auto& row : rows) row = std::make_unique<double[]>(shape_.nz() + 2);
  }
  const int slot = free_.back();
  free_.pop_back();
  return slot;
}

void SegregatedField::clear_ghosts(int slot) {
  for (auto& row : slots_[slot]) {
    for (int k = 0; k < shape_.nz() + 2; ++k) row[k] = 0.0;
  }
}

SegregatedPlane SegregatedField::plane(int slot, int v, int axis, int at, double* scratch) {
  const int pitch = shape_.ny() + 2;
  if (axis == 0) return {rows(slot, v) + at * pitch + 1, 1, nullptr, 0};
  if (axis == 1) return {rows(slot, v) + pitch + at, pitch, nullptr, 0};
  return {nullptr, 0, scratch, shape_.ny()};
}

SegregatedPlane SegregatedField::inner_plane(int slot, int v, int axis, int side, double* scratch,
                                             int /*generation*/) {
  const int at = side == 0 ? 1 : shape_.cells[axis];
  const Plane result = plane(slot, v, axis, at, scratch);
  if (axis == 2) {
    for (int i = 1; i <= shape_.nx(); ++i) {
      for (int j = 1; j <= shape_.ny(); ++j) result.row(i)[j - 1] = this->at(slot, v, i, j, at);
    }
  }
  return result;
}

SegregatedPlane SegregatedField::ghost_plane(int slot, int v, int axis, int side, double* scratch) {
  return plane(slot, v, axis, side == 0 ? 0 : shape_.cells[axis] + 1, scratch);
}

void SegregatedField::finish_ghost_plane(int slot, int v, int axis, int side, const Plane& plane) {
  if (axis != 2) return;
  const int k = side == 0 ? 0 : shape_.nz() + 1;
  for (int i = 1; i <= shape_.nx(); ++i) {
    for (int j = 1; j <= shape_.ny(); ++j) at(slot, v, i, j, k) = plane.row(i)[j - 1];
  }
}

}  // namespace heddle::amr
