// What a patch needs of those around it: ghosts beyond each face, and the fluxes of faces beyond which finer
// patches lie.
//
// Words: a *hanging* face lies between patches of two levels. Of a coarse volume on it R^(D-1) fine faces
// make up the face. A volume's *transverse* position is its position but for the face's axis.
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

#include <functional>

#include "exchange/transfer_plan.hpp"
#include "wave/patch/patches.hpp"

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
  /// The state beyond a boundary where it is prescribed: face, position of the patch's volume, time is the
  /// caller's.
  using Prescribed = std::function<State<E>(int face, const std::array<int, D>& volume)>;

  Halo(const E& equation, Patches<E, D>& patches, HangingFlux hanging)
      : equation_(equation), patches_(patches), hanging_(hanging) {
    const auto size = static_cast<std::size_t>(patches.shape().face_volumes() * E::kUnknowns);
    for (auto& face : fluxes_) face.resize(size);
  }

  /// Fills the ghosts of a patch beyond one face, and returns the fluxes through it where they are not the
  /// kernel's to compute. into: all transfers of the face. Valid until the same face of another patch is
  /// filled.
  const double* fill(std::span<const Transfer> into, int copy, Boundary boundary,
                     const Prescribed& prescribed) {
    const Transfer& first = into[0];
    double* const mine = patches_.values(first.destination, copy);
    const int axis = first.face / 2;
    const bool is_high = first.face % 2 != 0;
    const int n = patches_.shape().volumes();
    const int inner = is_high ? n - 1 : 0, across = is_high ? 0 : n - 1;
    const std::ptrdiff_t out = patches_.shape().stride(axis) * (is_high ? 1 : -1);
    const bool has_given = first.op == exchange::Operator::from_fine && hanging_ == HangingFlux::from_fine;
    double* const flux = has_given ? fluxes_[first.face].data() : nullptr;

    for_each_volume<D - 1>(n, [&](const std::array<int, D - 1>& transverse) {
      const std::array<int, D> here = placed(axis, inner, transverse);
      const std::ptrdiff_t at = patches_.shape().at(here);
      State<E> ghost;
      switch (first.op) {
        case exchange::Operator::same_level:
          ghost = volume_of(first.source, copy, placed(axis, across, transverse));
          break;
        case exchange::Operator::from_coarse:
          ghost = volume_of(first.source, copy, placed(axis, across, coarse(transverse, first.subface)));
          break;
        case exchange::Operator::from_fine:
          ghost = see_fine(into, copy, axis, is_high, across, transverse, patches_.volume(mine, at), flux);
          break;
        case exchange::Operator::boundary:
          ghost = patches_.volume(mine, at);
          if (boundary == Boundary::wall) ghost = equation_.mirrored(ghost, axis);
          if (boundary == Boundary::prescribed) ghost = prescribed(first.face, here);
          break;
      }
      patches_.set_volume(mine, at + out, ghost);
    });
    return flux;
  }

 private:
  [[nodiscard]] static std::array<int, D> placed(int axis, int along,
                                                 const std::array<int, D - 1>& transverse) {
    std::array<int, D> volume{};
    for (int d = 0, n = 0; d < D; ++d) volume[d] = d == axis ? along : transverse[n++];
    return volume;
  }
  [[nodiscard]] State<E> volume_of(int slot, int copy, const std::array<int, D>& volume) const {
    return patches_.volume(patches_.values(slot, copy), patches_.shape().at(volume));
  }
  /// The coarse volumes that fine ones of a subface lie in: any N, also one that R does not divide.
  [[nodiscard]] std::array<int, D - 1> coarse(std::array<int, D - 1> fine, int subface) const {
    for (int& at : fine) {
      at = (subface % R * patches_.shape().volumes() + at) / R;
      subface /= R;
    }
    return fine;
  }

  /// The mean of the fine volumes across from a coarse one; with `flux`, the mean flux through their faces,
  /// too.
  State<E> see_fine(std::span<const Transfer> into, int copy, int axis, bool is_high, int across,
                    const std::array<int, D - 1>& transverse, const State<E>& here, double* flux) const {
    const int n = patches_.shape().volumes();
    Mean<E::kUnknowns> ghost, mean_flux;
    for_each_volume<D - 1>(R, [&](const std::array<int, D - 1>& child) {
      std::array<int, D - 1> fine{};
      int subface = 0;
      for (int d = D - 2; d >= 0; --d) {
        const int on_face = R * transverse[d] + child[d];
        subface = R * subface + on_face / n;
        fine[d] = on_face % n;
      }
      const State<E> there =
          volume_of(into[static_cast<std::size_t>(subface)].source, copy, placed(axis, across, fine));
      ghost.add(there);
      if (flux != nullptr)
        mean_flux.add(is_high ? rusanov(equation_, here, there, axis)
                              : rusanov(equation_, there, here, axis));
    });
    if (flux != nullptr) {
      int at = 0;
      for (int d = D - 2; d >= 0; --d) at = at * n + transverse[d];
      const State<E> value = mean_flux.value();
      for (int v = 0; v < E::kUnknowns; ++v) flux[at + v * patches_.shape().face_volumes()] = value[v];
    }
    return ghost.value();
  }

  E equation_;
  Patches<E, D>& patches_;
  HangingFlux hanging_;
  std::array<std::vector<double>, 2 * static_cast<std::size_t>(D)> fluxes_;
};

}  // namespace heddle::wave
