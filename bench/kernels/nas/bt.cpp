#include "bt.hpp"

#include "lines.hpp"

namespace nas {
namespace {

constexpr long kMostPoints = 64;

}  // namespace

Bt::Bt(char problem_class)
    : flow_(problem(problem_class).size), time_step_(problem_class == 'S' ? 0.01 : 0.0008) {}

std::vector<double> Bt::published(char problem_class) {
  switch (problem_class) {
    case 'S':
      return {1.7034283709541311e-01, 1.2975252070034097e-02, 3.2527926989486055e-02, 2.6436421275166801e-02,
              1.9211784131744430e-01, 4.9976913345811579e-04, 4.5195666782961927e-05, 7.3973765172921357e-05,
              7.3821238632439731e-05, 8.9269630987491446e-04};
    case 'W':
      return {0.1125590409344e+03, 0.1180007595731e+02, 0.2710329767846e+02, 0.2469174937669e+02,
              0.2638427874317e+03, 0.4419655736008e+01, 0.4638531260002e+00, 0.1011551749967e+01,
              0.9235878729944e+00, 0.1018045837718e+02};
    default:
      return {1.0806346714637264e+02, 1.1319730901220813e+01, 2.5974354511582465e+01, 2.3665622544678910e+01,
              2.5278963211748344e+02, 4.2348416040525025e+00, 4.4390282496995698e-01, 9.6692480136345650e-01,
              8.8302063039765474e-01, 9.7379901770829278e+00};
  }
}

std::vector<double> Bt::result() {
  return norms_of(flow_);
}

// Block elimination down the line and back. The faces' rows are the identity and their right side zero, so
// they are left out.
template <int kAxis>
void Bt::solve_line(long first) {
  const Grid& grid = flow_.grid();
  const long step = grid.step(kAxis), inner = grid.inner();
  const double central = time_step_ * grid.t2(), second = time_step_ * grid.t1();
  Block above[kMostPoints];  // what couples a point to the next
  State before{};
  for (long i = 1; i <= inner; ++i) {
    const long point = first + i * step;
    Block diagonal{};
    for (std::size_t m = 0; m < 5; ++m) diagonal[m][m] = 1;
    add_jacobians<kAxis>(diagonal, flow_.state(point), 0, 2 * second);
    State right = flow_.right_side(point);
    if (i > 1) {
      Block below{};
      add_jacobians<kAxis>(below, flow_.state(point - step), -central, -second);
      const Block& last = above[i - 1];
      for (std::size_t row = 0; row < 5; ++row) {
        for (std::size_t k = 0; k < 5; ++k) {
          const double factor = below[row][k];
          right[row] -= factor * before[k];
          for (std::size_t column = 0; column < 5; ++column)
            diagonal[row][column] -= factor * last[k][column];
        }
      }
    }
    above[i] = Block{};
    add_jacobians<kAxis>(above[i], flow_.state(point + step), central, -second);
    solve_block(diagonal, right, &above[i]);
    flow_.set_right_side(point, right);
    before = right;
  }
  for (long i = inner - 1; i >= 1; --i) {
    const long point = first + i * step;
    State right = flow_.right_side(point);
    for (std::size_t row = 0; row < 5; ++row) {
      for (std::size_t k = 0; k < 5; ++k) right[row] -= above[i][row][k] * before[k];
    }
    flow_.set_right_side(point, right);
    before = right;
  }
}

void Bt::solve_x(Piece lines) {
  for (long line = lines.first; line < lines.last; ++line)
    solve_line<0>(start_of_line<0>(flow_.grid(), line));
}

void Bt::solve_y(Piece lines) {
  for (long line = lines.first; line < lines.last; ++line)
    solve_line<1>(start_of_line<1>(flow_.grid(), line));
}

void Bt::solve_z_and_add(Piece lines) {
  for (long line = lines.first; line < lines.last; ++line) {
    const long first = start_of_line<2>(flow_.grid(), line);
    solve_line<2>(first);
    add_line<2>(flow_, first);
  }
}

}  // namespace nas
