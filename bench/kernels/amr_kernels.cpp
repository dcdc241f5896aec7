// Cell updates per second of the stencil kernels, beside a copy loop that reads and writes the same bytes:
// how far is a kernel from what the memory or the cache allows?
//
//   cmake --preset release -DHEDDLE_BENCH=ON && ./heddle build release && build/release/bin/amr_kernels
//
// Argument: blocks of 16^3 cells and 40 variables. 1 block (1.9 MB) lies in the outer caches, 200 (390 MB) in
// memory.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "amr/field/contiguous.hpp"
#include "amr/field/segregated.hpp"
#include "amr/kernel/stencil_7.hpp"
#include "amr/kernel/stencil_7_rows.hpp"

namespace {

using namespace heddle::amr;

constexpr Shape kShape{{16, 16, 16}, 40};

template <class Field>
std::vector<int> fill(Field& field, int blocks) {
  std::vector<int> slots;
  for (int b = 0; b < blocks; ++b) {
    slots.push_back(field.acquire());
    for (int v = 0; v < kShape.num_vars; ++v) {
      for (int i = 1; i <= kShape.nx(); ++i)
        for (int j = 1; j <= kShape.ny(); ++j)
          for (int k = 1; k <= kShape.nz(); ++k) field.at(slots.back(), v, i, j, k) = 1.0 / (i + j + k + v);
      field.refresh_faces(slots.back(), v, 0);
    }
  }
  return slots;
}

// Bytes that must move: each interior cell is read and written once.
void count(benchmark::State& state, int blocks) {
  const auto cells = static_cast<double>(state.iterations()) * blocks * kShape.num_vars *
                     static_cast<double>(kShape.interior_cells());
  state.counters["cells/s"] = benchmark::Counter(cells, benchmark::Counter::kIsRate);
  state.counters["bytes/s"] =
      benchmark::Counter(16.0 * cells, benchmark::Counter::kIsRate, benchmark::Counter::kIs1024);
}

template <class Field, class Kernel>
void sweep(benchmark::State& state, Kernel&& kernel) {
  const auto blocks = static_cast<int>(state.range(0));
  Field field(kShape);
  const std::vector<int> slots = fill(field, blocks);
  Workspace workspace;
  for (auto _ : state)
    for (const int slot : slots)
      for (int v = 0; v < kShape.num_vars; ++v) kernel(field, slot, v, workspace);
  count(state, blocks);
}

void copy_loop(benchmark::State& state) {
  sweep<ContiguousField>(state, [](ContiguousField& field, int slot, int v, Workspace& workspace) {
    // In place, like the stencil: read a brick's interior and write it back.
    double* brick = field.row(slot, v, 1, 1);
    double* buffer = workspace.at_least(kShape.interior_cells());
    std::memcpy(buffer, brick, kShape.interior_cells() * sizeof(double));
    benchmark::DoNotOptimize(buffer);
    benchmark::ClobberMemory();
    std::memcpy(brick, buffer, kShape.interior_cells() * sizeof(double));
  });
}

void stencil_rows(benchmark::State& state) {
  sweep<ContiguousField>(state, [](ContiguousField& field, int slot, int v, Workspace& workspace) {
    stencil_7_rows<2>(field, slot, v, {field.ghost_planes(slot, v)}, workspace);
  });
}

void stencil_planes(benchmark::State& state) {
  sweep<ContiguousField>(state, [](ContiguousField& field, int slot, int v, Workspace& workspace) {
    stencil_7<16>(field, slot, v, {field.ghost_planes(slot, v)},
                  field.hot_part(slot, (v + 1) % kShape.num_vars), workspace);
  });
}

void stencil_segregated(benchmark::State& state) {
  sweep<SegregatedField>(state, [](SegregatedField& field, int slot, int v, Workspace& workspace) {
    stencil_7<16>(field, slot, v, {field.ghost_planes(slot, v)}, {}, workspace);
  });
}

BENCHMARK(copy_loop)->Arg(1)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(stencil_rows)->Arg(1)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(stencil_planes)->Arg(1)->Arg(200)->Unit(benchmark::kMillisecond);
BENCHMARK(stencil_segregated)->Arg(1)->Arg(200)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
