// What one thread advances patches with, in either scheme.
//
// Invariant: as engine.hpp says of preparing and completing.
#pragma once

#include <memory>

#include "wave/exec/clock.hpp"
#include "wave/exec/problem.hpp"

namespace heddle::wave {

template <Equation E, int D, int R>
class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual void prepare(int patch, const Step& step) = 0;
  /// Returns the largest |eigenvalue| of the new state; infinity where one is no number.
  virtual double complete(int patch, const Step& step) = 0;
};

namespace detail {

/// The layers across a face of those that a mesh has or has received; none at a boundary.
template <Equation E, int D, int R>
[[nodiscard]] typename Halo<E, D, R>::Across layers_across(const PatchMesh<E, D, R>& mesh,
                                                           std::span<const exchange::Transfer> into,
                                                           Sent sent) {
  typename Halo<E, D, R>::Across layers;
  if (into[0].op == exchange::Operator::boundary) return layers;
  for (std::size_t n = 0; n < into.size(); ++n) {
    layers[n] = into[n].is_remote() ? mesh.layers(sent.what).layer(into[n], sent.copy)
                                    : mesh.layer_of(sent)(into[n].source, into[n].face ^ 1);
  }
  return layers;
}

template <Equation E, int D, int R>
class FirstOrder final : public Stepper<E, D, R> {
 public:
  FirstOrder(const Problem<E, D>& problem, PatchMesh<E, D, R>& mesh, HangingFlux hanging)
      : problem_(problem),
        mesh_(mesh),
        halo_(problem.equation, mesh.patches().shape(), hanging),
        kernel_(problem.equation, mesh.patches().shape()) {}

  void prepare(int patch, const Step& step) override {
    double* const values = mesh_.values(patch, step.copy);
    GivenFluxes<D> given{};
    for (int face = 0; face < mesh::kFaces<D>; ++face) {
      const auto into = mesh_.transfers().into_face(patch, face);
      given[static_cast<std::size_t>(face)] =
          halo_.fill(into[0], values, layers_across(mesh_, into, {Sent::What::states, step.copy}),
                     problem_.boundaries[face], [&](int beyond, const std::array<int, D>& volume) {
                       return problem_.outside(mesh_.centre(patch, volume, beyond), step.begin);
                     });
    }
    kernel_.find_residual(values, mesh_.values(patch, 1 - step.copy), mesh_.width(patch), given);
  }

  double complete(int patch, const Step& step) override {
    double* const next = mesh_.values(patch, 1 - step.copy);
    return kernel_.update(mesh_.values(patch, step.copy), next, next, step.length, mesh_.width(patch));
  }

 private:
  const Problem<E, D>& problem_;
  PatchMesh<E, D, R>& mesh_;
  Halo<E, D, R> halo_;
  RusanovStep<E, D> kernel_;
};

template <Equation E, int D, int R>
class SecondOrder final : public Stepper<E, D, R> {
 public:
  SecondOrder(const Problem<E, D>& problem, PatchMesh<E, D, R>& mesh, HangingFlux hanging, Limiter limiter)
      : problem_(problem),
        mesh_(mesh),
        halo_(problem.equation, mesh.patches().shape(), hanging),
        faces_(problem.equation, mesh.patches().shape(), hanging),
        kernel_(problem.equation, mesh.patches().shape(), limiter) {}

  void prepare(int patch, const Step& step) override {
    double *const values = mesh_.values(patch, step.copy), *const rates = mesh_.values(patch, 1 - step.copy);
    for (int face = 0; face < mesh::kFaces<D>; ++face) {
      const auto into = mesh_.transfers().into_face(patch, face);
      halo_.fill_for_slopes(into[0], values, layers_across(mesh_, into, {Sent::What::states, step.copy}),
                            problem_.boundaries[face], [&](int beyond, const std::array<int, D>& volume) {
                              return problem_.outside(mesh_.centre(patch, volume, beyond), step.begin);
                            });
    }
    kernel_.find_rates(values, rates, mesh_.width(patch));
    faces_.write_records(kernel_, values, rates, mesh_.records(patch));
  }

  double complete(int patch, const Step& step) override {
    const double half = 0.5 * step.length;
    for (int face = 0; face < mesh::kFaces<D>; ++face) {
      const auto into = mesh_.transfers().into_face(patch, face);
      faces_.look_across(into[0], mesh_.records(patch),
                         layers_across(mesh_, into, {Sent::What::face_states, step.copy}), half,
                         problem_.boundaries[face], [&](int beyond, const std::array<int, D>& volume) {
                           return problem_.outside(mesh_.centre(patch, volume, beyond), step.begin + half);
                         });
    }
    return kernel_.complete(mesh_.values(patch, step.copy), mesh_.values(patch, 1 - step.copy),
                            faces_.beyond(), faces_.given(), step.length, mesh_.width(patch));
  }

 private:
  const Problem<E, D>& problem_;
  PatchMesh<E, D, R>& mesh_;
  Halo<E, D, R> halo_;
  FaceStates<E, D, R> faces_;
  MusclHancock<E, D> kernel_;
};

}  // namespace detail

/// Requires: problem and mesh outlive it; with a limiter the mesh has records.
template <Equation E, int D, int R>
[[nodiscard]] std::unique_ptr<Stepper<E, D, R>> make_stepper(const Problem<E, D>& problem,
                                                             PatchMesh<E, D, R>& mesh,
                                                             const MeshSettings<D>& settings) {
  if (!settings.limiter)
    return std::make_unique<detail::FirstOrder<E, D, R>>(problem, mesh, settings.hanging);
  return std::make_unique<detail::SecondOrder<E, D, R>>(problem, mesh, settings.hanging, *settings.limiter);
}

}  // namespace heddle::wave
