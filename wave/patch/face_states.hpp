// Face states: what patches tell each other in the second order scheme, and what a patch makes of it.
//
// Words: a patch's *record* of a face is the face state and the rate of every volume along it, before they
// are carried forward (muscl_hancock.hpp), so that it does not depend on the step's length.
//
// Invariant: as for halo.hpp: what leaves a coarse volume through a hanging face is the mean of the fluxes
// through its fine faces, which both patches compute from the same records.
#pragma once

#include <vector>

#include "wave/flux/muscl_hancock.hpp"
#include "wave/patch/halo.hpp"

namespace heddle::wave {

/// Values of a volume in a record: its state, then its rate.
template <Equation E>
inline constexpr int kRecordValues = 2 * E::kUnknowns;

/// Records of a patch: one face after the other. records: Patches::records() of it.
template <Equation E, int D, class Value>
[[nodiscard]] FaceLayer<Value, D> record_of(const PatchShape<D>& shape, Value* records, int face) {
  return dense_layer<D>(shape, records + face * kRecordValues<E> * shape.face_volumes());
}
/// In doubles.
template <Equation E, int D>
[[nodiscard]] std::size_t size_of_records(const PatchShape<D>& shape) {
  return static_cast<std::size_t>(2 * D * kRecordValues<E> * shape.face_volumes());
}

template <Equation E, int D, int R>
class FaceStates {
 public:
  using Transfer = exchange::Transfer;
  using Record = FaceLayer<const double, D>;
  /// Of what lies across a face, as Halo::Across.
  using Across = std::array<Record, static_cast<std::size_t>(mesh::kSubfaces<D, R>)>;

  FaceStates(const E& equation, const PatchShape<D>& shape, HangingFlux hanging)
      : equation_(equation), shape_(shape), hanging_(hanging) {
    const auto size = static_cast<std::size_t>(shape.face_volumes() * E::kUnknowns + kLanes);
    for (auto* faces : {&beyond_, &fluxes_}) {
      for (auto& face : *faces) face.resize(size);
    }
  }

  /// q: planes with ghosts; rates: of the kernel.
  void write_records(const MusclHancock<E, D>& kernel, const double* q, const double* rates,
                     double* records) const {
    const int n = shape_.volumes();
    for (int face = 0; face < mesh::kFaces<D>; ++face) {
      const FaceLayer<double, D> into = record_of<E, D>(shape_, records, face);
      for_each_volume<D - 1>(n, [&](const Transverse<D>& t) {
        State<E> state, rate;
        kernel.face_state(q, rates, shape_.at(volume_at<D>(face, t, n)), face, state, rate);
        std::array<double, kRecordValues<E>> values;
        std::copy(state.begin(), state.end(), values.begin());
        std::copy(rate.begin(), rate.end(), values.begin() + E::kUnknowns);
        into.set_state(t, values);
      });
    }
  }

  /// Finds what lies beyond a face: beyond(), or the fluxes through it. into: its first transfer; records:
  /// the patch's own. prescribed(face, position of the patch's volume): as for Halo::fill(), at the step's
  /// middle.
  template <class Prescribed>
  void look_across(const Transfer& into, const double* records, const Across& across, double half_dt,
                   Boundary boundary, const Prescribed& prescribed) {
    const int face = into.face, n = shape_.volumes();
    const Record mine = record_of<E, D>(shape_, records, face);
    const FaceLayer<double, D> beyond = dense_layer<D>(shape_, beyond_[face].data());
    given_[face] = nullptr;
    if (into.op == exchange::Operator::from_fine) {
      see_fine(mine, across, face, half_dt);
      return;
    }
    for_each_volume<D - 1>(n, [&](const Transverse<D>& t) {
      switch (into.op) {
        case exchange::Operator::same_level:
          beyond.set_state(t, at(across[0], t, face, half_dt));
          break;
        case exchange::Operator::from_coarse:
          beyond.set_state(t, at(across[0], coarse_across<D, R>(t, into.subface, n), face, half_dt));
          break;
        default:
          beyond.set_state(t, beyond_boundary(mine, t, face, half_dt, boundary, prescribed));
      }
    });
  }

  /// Of all faces that were looked across, until this is done for another patch.
  [[nodiscard]] StatesBeyond<D> beyond() const {
    StatesBeyond<D> all;
    for (int face = 0; face < mesh::kFaces<D>; ++face) all[face] = beyond_[face].data();
    return all;
  }
  [[nodiscard]] const GivenFluxes<D>& given() const { return given_; }

 private:
  static constexpr auto kUnknowns = static_cast<std::size_t>(E::kUnknowns);

  /// The state of a record's volume, carried forward.
  [[nodiscard]] State<E> at(const Record& record, const Transverse<D>& t, int face, double half_dt) const {
    const auto values = record.template state<kRecordValues<E>>(t);
    State<E> state, rate;
    std::copy_n(values.begin(), kUnknowns, state.begin());
    std::copy_n(values.begin() + kUnknowns, kUnknowns, rate.begin());
    return carried(equation_, state, rate, half_dt, face / 2);
  }

  template <class Prescribed>
  [[nodiscard]] State<E> beyond_boundary(const Record& mine, const Transverse<D>& t, int face, double half_dt,
                                         Boundary boundary, const Prescribed& prescribed) const {
    if (boundary == Boundary::prescribed) return prescribed(face, volume_at<D>(face, t, shape_.volumes()));
    const State<E> here = at(mine, t, face, half_dt);
    return boundary == Boundary::wall ? equation_.mirrored(here, face / 2) : here;
  }

  void see_fine(const Record& mine, const Across& across, int face, double half_dt) {
    const int n = shape_.volumes(), axis = face / 2;
    const bool is_conservative = hanging_ == HangingFlux::from_fine;
    if (is_conservative) given_[face] = fluxes_[face].data();
    for_each_volume<D - 1>(n, [&](const Transverse<D>& t) {
      const State<E> here = at(mine, t, face, half_dt);
      Mean<kUnknowns> mean, mean_flux;
      for_each_fine_across<D, R>(t, n, [&](int subface, const Transverse<D>& fine) {
        const State<E> there = at(across[static_cast<std::size_t>(subface)], fine, face, half_dt);
        mean.add(there);
        mean_flux.add(face % 2 != 0 ? rusanov(equation_, here, there, axis)
                                    : rusanov(equation_, there, here, axis));
      });
      dense_layer<D>(shape_, beyond_[face].data()).set_state(t, mean.value());
      if (is_conservative) dense_layer<D>(shape_, fluxes_[face].data()).set_state(t, mean_flux.value());
    });
  }

  E equation_;
  PatchShape<D> shape_;
  HangingFlux hanging_;
  std::array<std::vector<double>, 2 * static_cast<std::size_t>(D)> beyond_, fluxes_;
  GivenFluxes<D> given_{};
};

}  // namespace heddle::wave
