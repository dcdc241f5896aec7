// Where the volumes of a rank's patches are kept: by slot, two copies of each.
//
// Words: of a patch's two *copies* one is the state of the current time step, the other becomes the next
// one's.
//
// Invariant: a copy is a PatchShape's planes. A slot in use keeps its memory; a slot given back is used
// again, the last one first.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "wave/flux/rusanov.hpp"

namespace heddle::wave {

template <Equation E, int D>
class Patches {
 public:
  explicit Patches(int volumes) : shape_(volumes) {}

  [[nodiscard]] const PatchShape<D>& shape() const { return shape_; }
  /// Of one patch and copy, in doubles.
  [[nodiscard]] std::size_t size() const { return shape_.size(E::kUnknowns); }

  /// A slot; its values are anything. Threads: one at a time.
  [[nodiscard]] int take() {
    if (!free_.empty()) {
      const int slot = free_.back();
      free_.pop_back();
      return slot;
    }
    slots_.push_back({std::make_unique<double[]>(size()), std::make_unique<double[]>(size())});
    return static_cast<int>(slots_.size()) - 1;
  }
  void give_back(int slot) { free_.push_back(slot); }

  /// copy: 0 or 1.
  [[nodiscard]] double* values(int slot, int copy) {
    return slots_[static_cast<std::size_t>(slot)][static_cast<std::size_t>(copy)].get();
  }
  [[nodiscard]] const double* values(int slot, int copy) const {
    return slots_[static_cast<std::size_t>(slot)][static_cast<std::size_t>(copy)].get();
  }

  [[nodiscard]] State<E> volume(const double* values, std::ptrdiff_t at) const {
    State<E> q;
    for (int v = 0; v < E::kUnknowns; ++v) q[v] = values[at + v * shape_.plane()];
    return q;
  }
  void set_volume(double* values, std::ptrdiff_t at, const State<E>& q) const {
    for (int v = 0; v < E::kUnknowns; ++v) values[at + v * shape_.plane()] = q[v];
  }

 private:
  PatchShape<D> shape_;
  std::vector<std::array<std::unique_ptr<double[]>, 2>> slots_;
  std::vector<int> free_;
};

/// Calls visit(volume) for the N^D volumes of a patch, axis 0 fastest.
template <int D, class Visit>
void for_each_volume(int volumes, Visit&& visit) {
  std::array<int, D> at{};
  while (true) {
    visit(at);
    int d = 0;
    while (d < D && ++at[d] == volumes) at[d++] = 0;
    if (d == D) return;
  }
}

}  // namespace heddle::wave
