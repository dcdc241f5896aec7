// What a patch needs of those around it: ghosts beyond each face, and the fluxes of faces beyond which finer
// patches lie.
//
// Words: a *hanging* face lies between patches of two levels. Of a coarse volume on it R^(D-1) fine faces
// make up the face. What lies across a face is read as layers (face_layer.hpp), so that it may be a patch of
// this rank or what another rank has sent.
//
// Invariant: filling reads other patches' volumes, never their ghosts, and writes a patch's own ghosts alone.
// A fine patch sees the coarse volume across (exact for constants). What leaves a coarse volume through a
// hanging face is the mean of the fluxes through its fine faces: the coarse patch computes these itself, from
// the same values as the fine patches do, so that nothing is lost between levels and no second exchange is
// needed.
//
// Source: Berger and Colella, "Local adaptive mesh refinement for shock hydrodynamics", 1989, section 3 (the
// flux registers for which this stands: all levels have one time step here).
#pragma once

#include "exchange/transfer_plan.hpp"
#include "wave/flux/rusanov.hpp"
#include "wave/patch/hanging.hpp"

namespace heddle::wave {

enum class Boundary : unsigned char { outflow, wall, prescribed };

/// How coarse volumes see a hanging face.
enum class HangingFlux : unsigned char {
  from_fine,  // conservative
  of_means,   // from the mean of the fine volumes across: loses what the fine patches count; for comparison
};

/// The mean of equal values is that value to the bit.
template <std::size_t N>
class Mean {
 public:
  void add(const std::array<double, N>& q) {
    if (count_++ == 0) first_ = q;
    for (std::size_t v = 0; v < N; ++v) sum_[v] += q[v] - first_[v];
  }
  [[nodiscard]] std::array<double, N> value() const {
    std::array<double, N> mean;
    for (std::size_t v = 0; v < N; ++v) mean[v] = first_[v] + sum_[v] / count_;
    return mean;
  }

 private:
  int count_ = 0;
  std::array<double, N> first_{}, sum_{};
};

template <Equation E, int D, int R>
class Halo {
 public:
  using Transfer = exchange::Transfer;
  using Layer = FaceLayer<const double, D>;
  /// Layers across a face: of one patch, or of the R^(D-1) finer ones by subface; none at a boundary.
  using Across = std::array<Layer, static_cast<std::size_t>(mesh::kSubfaces<D, R>)>;

  Halo(const E& equation, const PatchShape<D>& shape, HangingFlux hanging)
      : equation_(equation), shape_(shape), hanging_(hanging) {
    const auto size = static_cast<std::size_t>(shape.face_volumes() * E::kUnknowns);
    for (auto& face : fluxes_) face.resize(size);
  }

  /// Fills the ghosts of a patch beyond one face, and returns the fluxes through it where they are not the
  /// kernel's to compute. into: the first transfer of the face. values: the patch's planes. prescribed(face,
  /// position of the patch's volume): the state beyond a boundary where it is prescribed; time is the
  /// caller's. Valid until the same face of another patch is filled.
  template <class Prescribed>
  const double* fill(const Transfer& into, double* values, const Across& across, Boundary boundary,
                     const Prescribed& prescribed) {
    const int face = into.face, n = shape_.volumes();
    const Layer inside = inner_layer<D>(shape_, static_cast<const double*>(values), face);
    const FaceLayer<double, D> ghosts = ghost_layer<D>(shape_, values, face);
    switch (into.op) {
      case exchange::Operator::same_level:
        copy_layer<D>(across[0], ghosts, n, kUnknowns);
        return nullptr;
      case exchange::Operator::from_coarse:
        for_each_volume<D - 1>(n, [&](const Transverse<D>& fine) {
          ghosts.set_state(fine,
                           across[0].template state<kUnknowns>(coarse_across<D, R>(fine, into.subface, n)));
        });
        return nullptr;
      case exchange::Operator::from_fine:
        return see_fine(across, inside, ghosts, face);
      case exchange::Operator::boundary:
        fill_beyond_boundary(inside, ghosts, face, boundary, prescribed);
        return nullptr;
    }
    return nullptr;
  }

  /// The same for slopes: ghosts of other levels are where a volume of the patch's own level would be, on the
  /// line through the patch's volume and what lies across it.
  template <class Prescribed>
  void fill_for_slopes(const Transfer& into, double* values, const Across& across, Boundary boundary,
                       const Prescribed& prescribed) {
    if (into.op != exchange::Operator::from_coarse && into.op != exchange::Operator::from_fine) {
      (void)fill(into, values, across, boundary, prescribed);
      return;
    }
    const int n = shape_.volumes();
    const Layer inside = inner_layer<D>(shape_, static_cast<const double*>(values), into.face);
    const FaceLayer<double, D> ghosts = ghost_layer<D>(shape_, values, into.face);
    // Centres lie half a volume of either level apart.
    const double share = into.op == exchange::Operator::from_coarse ? 2.0 / (R + 1.0) : 2.0 * R / (R + 1.0);
    for_each_volume<D - 1>(n, [&](const Transverse<D>& t) {
      Mean<kUnknowns> mean;
      if (into.op == exchange::Operator::from_coarse) {
        mean.add(across[0].template state<kUnknowns>(coarse_across<D, R>(t, into.subface, n)));
      } else {
        for_each_fine_across<D, R>(t, n, [&](int subface, const Transverse<D>& fine) {
          mean.add(across[static_cast<std::size_t>(subface)].template state<kUnknowns>(fine));
        });
      }
      State<E> ghost = inside.template state<kUnknowns>(t);
      const State<E> there = mean.value();
      for (std::size_t v = 0; v < kUnknowns; ++v) ghost[v] += share * (there[v] - ghost[v]);
      ghosts.set_state(t, ghost);
    });
  }

 private:
  static constexpr auto kUnknowns = static_cast<std::size_t>(E::kUnknowns);

  template <class Prescribed>
  void fill_beyond_boundary(const Layer& inside, const FaceLayer<double, D>& ghosts, int face,
                            Boundary boundary, const Prescribed& prescribed) const {
    const int axis = face / 2, n = shape_.volumes();
    if (boundary == Boundary::outflow) {
      copy_layer<D>(inside, ghosts, n, E::kUnknowns);
      return;
    }
    for_each_volume<D - 1>(n, [&](const Transverse<D>& t) {
      if (boundary == Boundary::wall) {
        ghosts.set_state(t, equation_.mirrored(inside.template state<kUnknowns>(t), axis));
      } else {
        ghosts.set_state(t, prescribed(face, volume_at<D>(face, t, n)));
      }
    });
  }

  /// The mean of the fine volumes across from each coarse one; with HangingFlux::from_fine, the mean flux
  /// through their faces, too, which is returned.
  const double* see_fine(const Across& across, const Layer& inside, const FaceLayer<double, D>& ghosts,
                         int face) {
    const int n = shape_.volumes(), axis = face / 2;
    double* const flux = hanging_ == HangingFlux::from_fine ? fluxes_[face].data() : nullptr;
    for_each_volume<D - 1>(n, [&](const Transverse<D>& t) {
      const State<E> here = inside.template state<kUnknowns>(t);
      Mean<kUnknowns> ghost, mean_flux;
      for_each_fine_across<D, R>(t, n, [&](int subface, const Transverse<D>& fine) {
        const State<E> there = across[static_cast<std::size_t>(subface)].template state<kUnknowns>(fine);
        ghost.add(there);
        if (flux == nullptr) return;
        mean_flux.add(face % 2 != 0 ? rusanov(equation_, here, there, axis)
                                    : rusanov(equation_, there, here, axis));
      });
      ghosts.set_state(t, ghost.value());
      if (flux != nullptr) dense_layer<D>(shape_, flux).set_state(t, mean_flux.value());
    });
    return flux;
  }

  E equation_;
  PatchShape<D> shape_;
  HangingFlux hanging_;
  std::array<std::vector<double>, 2 * static_cast<std::size_t>(D)> fluxes_;
};

}  // namespace heddle::wave
