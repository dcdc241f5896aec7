// Where the volumes of a rank's patches are kept: by slot, two copies of each, and their records if there
// are.
//
// Words: of a patch's two *copies* one is the state of the current time step, the other becomes the next
// one's. *Records*: face_states.hpp.
//
// Invariant: a copy is a PatchShape's planes. A slot in use keeps its memory; a slot given back is used
// again, the last one first.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "wave/flux/equation.hpp"
#include "wave/flux/patch_shape.hpp"

namespace heddle::wave {

template <Equation E, int D>
class Patches {
 public:
  /// record_doubles: of one patch's records.
  explicit Patches(int volumes, std::size_t record_doubles = 0)
      : shape_(volumes), record_doubles_(record_doubles) {}

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
    slots_.push_back({{std::make_unique<double[]>(size()), std::make_unique<double[]>(size())},
                      std::make_unique<double[]>(record_doubles_)});
    return static_cast<int>(slots_.size()) - 1;
  }
  void give_back(int slot) { free_.push_back(slot); }

  /// copy: 0 or 1.
  [[nodiscard]] double* values(int slot, int copy) {
    return slots_[static_cast<std::size_t>(slot)].copies[static_cast<std::size_t>(copy)].get();
  }
  [[nodiscard]] const double* values(int slot, int copy) const {
    return slots_[static_cast<std::size_t>(slot)].copies[static_cast<std::size_t>(copy)].get();
  }

  [[nodiscard]] double* records(int slot) { return slots_[static_cast<std::size_t>(slot)].records.get(); }
  [[nodiscard]] const double* records(int slot) const {
    return slots_[static_cast<std::size_t>(slot)].records.get();
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
  struct Slot {
    std::array<std::unique_ptr<double[]>, 2> copies;
    std::unique_ptr<double[]> records;
  };

  PatchShape<D> shape_;
  std::size_t record_doubles_;
  std::vector<Slot> slots_;
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
