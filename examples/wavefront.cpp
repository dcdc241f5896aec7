// Data flow over a grid: each cell waits for the cell above and the cell to the left, so that anti-diagonals
// run in parallel without a barrier. Counts the lattice paths from the corner: Pascal's triangle.
#include <cstdint>
#include <cstdio>
#include <vector>

int main() {
  constexpr int n = 24;
  std::vector<std::uint64_t> cells(n * n);
  std::uint64_t* paths = cells.data();

#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      // The borders name themselves, which adds nothing.
      std::uint64_t* here = &paths[i * n + j];
      std::uint64_t* above = i > 0 ? here - n : here;
      std::uint64_t* left = j > 0 ? here - 1 : here;
#pragma omp task firstprivate(here, above, left, i, j) depend(in : *above, *left) depend(out : *here)
      *here = i == 0 && j == 0 ? 1 : (i > 0 ? *above : 0) + (j > 0 ? *left : 0);
    }
  }

  for (int k = 0; k < n; k += 8)
    std::printf("paths(%d, %d) = %llu\n", k, k, static_cast<unsigned long long>(paths[k * n + k]));
  return 0;
}
