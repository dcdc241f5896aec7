// Counts the ways through a grid, tile by tile, again and again: taskgraph in a function template, which has
// records of its own for each type. Compile it by 'heddle cc -- g++ -fopenmp taskgraph_clauses.cpp'.
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int kTiles = 6, kTile = 4, kSide = kTiles * kTile + 1, kRounds = 20;

// Adds each cell's neighbours above and to the left, below and to the right of a border of ones.
template <class Number>
void count(Number* ways, int tile_i, int tile_j) {
  for (int i = tile_i * kTile + 1; i <= (tile_i + 1) * kTile; ++i)
    for (int j = tile_j * kTile + 1; j <= (tile_j + 1) * kTile; ++j)
      ways[i * kSide + j] = ways[(i - 1) * kSide + j] + ways[i * kSide + j - 1];
}

template <class Number>
int recordings = 0;

// What a round did: which grid it worked on, and whether its region's code was executed.
template <class Number>
bool sweep(Number* ways, int grid, bool is_new, bool is_recorded) {
  bool has_created = false;
  // A pointer is recorded by its value: each grid needs an id, and its record goes when another takes its
  // place.
#pragma omp taskgraph graph_id(grid) graph_reset(is_new) if (is_recorded)
  {
    has_created = true;
    // replayable: no record has this task.
#pragma omp task replayable(!is_recorded)
    {
#pragma omp atomic
      ++recordings<Number>;
    }
    for (int i = 0; i < kTiles; ++i) {
      for (int j = 0; j < kTiles; ++j) {
        Number* here = &ways[(i * kTile + 1) * kSide + j * kTile + 1];
        Number* above = i > 0 ? here - kTile * kSide : here;
        Number* left = j > 0 ? here - kTile : here;
#pragma omp task firstprivate(saved : ways, i, j) depend(in : *above, *left) depend(out : *here)
        count(ways, i, j);
      }
    }
  }
  return has_created;
}

template <class Number>
std::vector<Number> bordered() {
  return std::vector<Number>(kSide * kSide, Number{1});
}

template <class Number>
void run(const char* name) {
  std::vector<Number> grids[2] = {bordered<Number>(), bordered<Number>()};
  std::vector<Number> replacement = bordered<Number>();
  int created = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; ++round) {
    const int grid = round % 2;
    const bool is_replaced = round == kRounds / 2;
    if (is_replaced) grids[grid].swap(replacement);
    created += sweep(grids[grid].data(), grid, is_replaced, round < kRounds - 1);
  }
  const auto ways = [](const std::vector<Number>& cells) {
    return static_cast<unsigned long long>(cells[kSide * kSide - 1]);
  };
  std::printf("%s: %llu and %llu ways, created in %d of %d rounds, without a record in %d\n", name,
              ways(grids[0]), ways(grids[1]), created, kRounds, recordings<Number>);
}

}  // namespace

int main() {
  run<std::uint64_t>("integers");
  run<double>("floating point");
  return 0;
}
