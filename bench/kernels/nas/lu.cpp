#include "lu.hpp"

#include "lines.hpp"

namespace nas {
namespace {

constexpr double kRelaxation = 1.2;  // omega

double time_step_of(char problem_class) {
  return problem_class == 'S' ? 0.5 : problem_class == 'W' ? 0.0015 : 2.0;
}

// Adds a product, times a factor, to a right side.
void add_product(State& side, const Block& block, const State& with, double factor) {
  for (std::size_t row = 0; row < 5; ++row) {
    for (std::size_t k = 0; k < 5; ++k) side[row] += factor * block[row][k] * with[k];
  }
}

}  // namespace

Lu::Lu(char problem_class)
    : flow_(problem(problem_class).size),
      time_step_(time_step_of(problem_class)),
      strips_(pieces_of(flow_.grid().inner())),
      cells_(static_cast<std::size_t>((flow_.grid().inner() + 1) * (strips_ + 1))) {}

std::vector<double> Lu::published(char problem_class) {
  switch (problem_class) {
    case 'S':
      return {1.6196343210976702e-02, 2.1976745164821318e-03, 1.5179927653399185e-03, 1.5029584435994323e-03,
              3.4264073155896461e-02, 6.4223319957960924e-04, 8.4144342047347926e-05, 5.8588269616485186e-05,
              5.8474222595157350e-05, 1.3103347914111294e-03, 7.8418928865937083e+00};
    case 'W':
      return {0.1236511638192e+02, 0.1317228477799e+01, 0.2550120713095e+01, 0.2326187750252e+01,
              0.2826799444189e+02, 0.4867877144216e+00, 0.5064652880982e-01, 0.9281818101960e-01,
              0.8570126542733e-01, 0.1084277417792e+01, 0.1161399311023e+02};
    default:
      return {7.7902107606689367e+02, 6.3402765259692870e+01, 1.9499249727292479e+02, 1.7845301160418537e+02,
              1.8384760349464247e+03, 2.9964085685471943e+01, 2.8194576365003349e+00, 7.3473412698774742e+00,
              6.7139225687777051e+00, 7.0715315688392578e+01, 2.6030925604886277e+01};
  }
}

std::vector<double> Lu::result() {
  std::vector<double> result = norms_of(flow_);
  result.push_back(surface_integral());
  return result;
}

Block Lu::diagonal(const State& u) const {
  const double viscous = 2 * time_step_ * flow_.grid().t1();
  Block block{};
  for (std::size_t m = 0; m < 5; ++m) block[m][m] = 1;
  add_jacobians<0>(block, u, 0, viscous);
  add_jacobians<1>(block, u, 0, viscous);
  add_jacobians<2>(block, u, 0, viscous);
  return block;
}

void Lu::relax_lower(long point) {
  const Grid& grid = flow_.grid();
  const double central = -time_step_ * grid.t2(), second = -time_step_ * grid.t1();
  State side = flow_.right_side(point);
  const auto subtract = [&]<int kAxis>() {
    const long neighbour = point - grid.step(kAxis);
    Block block{};
    add_jacobians<kAxis>(block, flow_.state(neighbour), central, second);
    add_product(side, block, flow_.right_side(neighbour), -kRelaxation);
  };
  subtract.template operator()<2>();
  subtract.template operator()<1>();
  subtract.template operator()<0>();
  Block block = diagonal(flow_.state(point));
  solve_block(block, side);
  flow_.set_right_side(point, side);
}

void Lu::relax_upper(long point) {
  const Grid& grid = flow_.grid();
  const double central = time_step_ * grid.t2(), second = -time_step_ * grid.t1();
  State side{};
  const auto add_up = [&]<int kAxis>() {
    const long neighbour = point + grid.step(kAxis);
    Block block{};
    add_jacobians<kAxis>(block, flow_.state(neighbour), central, second);
    add_product(side, block, flow_.right_side(neighbour), kRelaxation);
  };
  add_up.template operator()<2>();
  add_up.template operator()<1>();
  add_up.template operator()<0>();
  Block block = diagonal(flow_.state(point));
  solve_block(block, side);
  State result = flow_.right_side(point);
  for (std::size_t m = 0; m < 5; ++m) result[m] -= side[m];
  flow_.set_right_side(point, result);
}

void Lu::sweep_up(long plane, long strip) {
  const Grid& grid = flow_.grid();
  const Piece rows = piece_of(strip, strips_, grid.inner());
  for (long y = rows.first; y < rows.last; ++y) {
    for (long x = 1; x <= grid.inner(); ++x) relax_lower(grid.at(x, y + 1, plane + 1));
  }
}

// The wave's first plane is the last, and its first strip as well.
void Lu::sweep_down(long plane, long strip) {
  const Grid& grid = flow_.grid();
  const Piece rows = piece_of(strips_ - 1 - strip, strips_, grid.inner());
  for (long y = rows.last - 1; y >= rows.first; --y) {
    for (long x = grid.inner(); x >= 1; --x) relax_upper(grid.at(x, y + 1, grid.inner() - plane));
  }
}

void Lu::add(Piece rows) {
  constexpr double kFactor = 1 / (kRelaxation * (2 - kRelaxation));
  for (long row = rows.first; row < rows.last; ++row) {
    const long first = start_of_line<0>(flow_.grid(), row);
    for (std::size_t m = 0; m < 5; ++m) {
      for (long i = 1; i <= flow_.grid().inner(); ++i) {
        flow_.u[m][static_cast<std::size_t>(first + i)] +=
            kFactor * flow_.rhs[m][static_cast<std::size_t>(first + i)];
      }
    }
  }
}

// The pressure over the faces of a box within the cube, by the trapezium rule (RNR-94-007, section 4.6.3).
double Lu::surface_integral() const {
  const Grid& grid = flow_.grid();
  const long points = grid.points();
  struct Range {
    long first, last;
  };
  const std::array<Range, 3> box = {{{1, points - 2}, {1, points - 3}, {2, points - 2}}};
  const auto pressure = [&](const std::array<long, 3>& at) {
    const State u = flow_.state(grid.at(at[0], at[1], at[2]));
    return kC2 * (u[4] - 0.5 * (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / u[0]);
  };
  double sum = 0;
  for (std::size_t across = 0; across < 3; ++across) {
    const std::size_t a = (across + 1) % 3, b = (across + 2) % 3;
    for (const long face : {box[across].first, box[across].last}) {
      std::array<long, 3> at{};
      at[across] = face;
      for (long i = box[a].first; i <= box[a].last; ++i) {
        for (long j = box[b].first; j <= box[b].last; ++j) {
          at[a] = i;
          at[b] = j;
          const double on_edge_i = i == box[a].first || i == box[a].last ? 1 : 2;
          const double on_edge_j = j == box[b].first || j == box[b].last ? 1 : 2;
          sum += on_edge_i * on_edge_j * pressure(at);
        }
      }
    }
  }
  return 0.25 * grid.spacing() * grid.spacing() * sum;
}

}  // namespace nas
