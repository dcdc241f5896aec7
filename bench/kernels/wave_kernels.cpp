// Volume updates per second of heddle-wave on one core: the kernel alone, beside a copy loop over the same
// bytes, and the solver with its ghosts.
//
//   cmake --preset release -DHEDDLE_BENCH=ON && ./heddle build release && build/release/bin/wave_kernels
//
// Argument: volumes of a patch along an axis. Kernels go through 8 patches in turn, so that a patch comes
// from the outer caches, as it does in a solver.
#include <benchmark/benchmark.h>

#include <cstring>
#include <memory>

#include "wave/exec/models.hpp"
#include "wave/exec/simulation.hpp"
#include "wave/flux/euler.hpp"

namespace {

using namespace heddle::wave;

constexpr int kPatches = 8;

template <int D>
double volumes_of(int n) {
  return D == 2 ? n * n : n * n * n;
}

void count(benchmark::State& state, double volumes, int unknowns) {
  const double all = static_cast<double>(state.iterations()) * volumes;
  state.counters["volumes/s"] = benchmark::Counter(all, benchmark::Counter::kIsRate);
  state.counters["bytes/s"] =
      benchmark::Counter(16.0 * unknowns * all, benchmark::Counter::kIsRate, benchmark::Counter::kIs1024);
}

/// A gas at rest of constant pressure whose density varies.
template <int D>
Problem<Euler<D>, D> still_gas() {
  Problem<Euler<D>, D> problem;
  problem.is_periodic.fill(true);
  problem.initial = [gas = problem.equation](const Position<D>& x) {
    return gas.conserved(1.0 + 0.1 * std::sin(2 * M_PI * x[0]), {}, 1.0);
  };
  return problem;
}

template <int D>
void kernel(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const PatchShape<D> shape(n);
  Patches<Euler<D>, D> patches(n);
  RusanovStep<Euler<D>, D> step(Euler<D>{}, shape);
  const State<Euler<D>> gas = Euler<D>{}.conserved(1.0, {}, 1.0);
  for (int p = 0; p < kPatches; ++p) {
    const int slot = patches.take();
    for (int v = 0; v < D + 2; ++v)
      std::fill_n(patches.values(slot, 0) + v * shape.plane(), shape.plane(), gas[v]);
  }
  for (auto _ : state) {
    for (int p = 0; p < kPatches; ++p) {
      step.find_residual(patches.values(p, 0), patches.values(p, 1), 0.1);
      benchmark::DoNotOptimize(
          step.update(patches.values(p, 0), patches.values(p, 1), patches.values(p, 1), 1e-3, 0.1));
    }
  }
  count(state, kPatches * volumes_of<D>(n), D + 2);
}

/// Of second order, with states of the patch's own kind beyond its faces.
template <int D>
void kernel_second_order(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const PatchShape<D> shape(n);
  Patches<Euler<D>, D> patches(n);
  MusclHancock<Euler<D>, D> kernel(Euler<D>{}, shape, Limiter::mc);
  const State<Euler<D>> gas = Euler<D>{}.conserved(1.0, {}, 1.0);
  std::vector<double> face(static_cast<std::size_t>(shape.face_volumes() * (D + 2) + kLanes), 1.0);
  for (int p = 0; p < kPatches; ++p) {
    const int slot = patches.take();
    for (int v = 0; v < D + 2; ++v) {
      std::fill_n(patches.values(slot, 0) + v * shape.plane(), shape.plane(), gas[v]);
      std::fill_n(face.begin() + v * shape.face_volumes(), shape.face_volumes(), gas[v]);
    }
  }
  StatesBeyond<D> beyond;
  beyond.fill(face.data());
  for (auto _ : state) {
    for (int p = 0; p < kPatches; ++p) {
      kernel.find_rates(patches.values(p, 0), patches.values(p, 1), 0.1);
      benchmark::DoNotOptimize(
          kernel.complete(patches.values(p, 0), patches.values(p, 1), beyond, {}, 1e-3, 0.1));
    }
  }
  count(state, kPatches * volumes_of<D>(n), D + 2);
}

template <int D>
void copy(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  Patches<Euler<D>, D> patches(n);
  for (int p = 0; p < kPatches; ++p) std::fill_n(patches.values(patches.take(), 0), patches.size(), 1.0);
  for (auto _ : state) {
    for (int p = 0; p < kPatches; ++p) {
      std::memcpy(patches.values(p, 1), patches.values(p, 0), patches.size() * sizeof(double));
      benchmark::ClobberMemory();
    }
  }
  count(state, kPatches * volumes_of<D>(n), D + 2);
}

/// Uniform mesh of 27 patches (2-D: 81).
template <int D>
void solver(benchmark::State& state, std::optional<Limiter> limiter = {}) {
  MeshSettings<D> mesh;
  mesh.roots.fill(D == 2 ? 9 : 3);
  mesh.volumes = static_cast<int>(state.range(0));
  mesh.limiter = limiter;
  heddle::exchange::SerialCommunicator alone;
  Simulation<Euler<D>, D, 3> simulation(still_gas<D>(), mesh, 1, alone);
  const auto model = make_serial();
  for (auto _ : state) simulation.run(*model, 1e9, 1);
  count(state, simulation.patches() * volumes_of<D>(mesh.volumes), D + 2);
}

void kernel_3d(benchmark::State& state) {
  kernel<3>(state);
}
void kernel_2d(benchmark::State& state) {
  kernel<2>(state);
}
void second_order_kernel_3d(benchmark::State& state) {
  kernel_second_order<3>(state);
}
void second_order_kernel_2d(benchmark::State& state) {
  kernel_second_order<2>(state);
}
void second_order_solver_3d(benchmark::State& state) {
  solver<3>(state, Limiter::mc);
}
void second_order_solver_2d(benchmark::State& state) {
  solver<2>(state, Limiter::mc);
}
void copy_3d(benchmark::State& state) {
  copy<3>(state);
}
void copy_2d(benchmark::State& state) {
  copy<2>(state);
}
void solver_3d(benchmark::State& state) {
  solver<3>(state);
}
void solver_2d(benchmark::State& state) {
  solver<2>(state);
}

BENCHMARK(copy_3d)->Arg(8)->Arg(16);
BENCHMARK(kernel_3d)->Arg(8)->Arg(16);
BENCHMARK(solver_3d)->Arg(8)->Arg(16);
BENCHMARK(second_order_kernel_3d)->Arg(8)->Arg(16);
BENCHMARK(second_order_solver_3d)->Arg(8)->Arg(16);
BENCHMARK(copy_2d)->Arg(63);
BENCHMARK(kernel_2d)->Arg(63);
BENCHMARK(solver_2d)->Arg(63);
BENCHMARK(second_order_kernel_2d)->Arg(63);
BENCHMARK(second_order_solver_2d)->Arg(63);

}  // namespace

BENCHMARK_MAIN();
