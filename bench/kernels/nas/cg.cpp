#include "cg.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "random.hpp"

namespace nas {
namespace {

// How the matrix is made.
struct Recipe {
  int rows, nonzeros;  // nonzeros: of the random vectors that it is made of
  double shift;
};

Recipe recipe_of(char problem_class) {
  const int rows = static_cast<int>(Cg::problem(problem_class).size);
  switch (problem_class) {
    case 'S':
      return {rows, 7, 10};
    case 'W':
      return {rows, 8, 12};
    default:
      return {rows, 11, 20};
  }
}

using Entry = std::pair<int, double>;

// A random vector of so many entries: a value and a place each, where places that are outside or taken are
// drawn again, value and all.
std::vector<Entry> random_vector(Random& random, const Recipe& recipe) {
  int range = 1;
  while (range < recipe.rows) range *= 2;
  std::vector<Entry> entries;
  while (static_cast<int>(entries.size()) < recipe.nonzeros) {
    const double value = random.next();
    const int place = static_cast<int>(range * random.next());
    const auto is_there = [place](const Entry& entry) { return entry.first == place; };
    if (place >= recipe.rows || std::any_of(entries.begin(), entries.end(), is_there)) continue;
    entries.emplace_back(place, value);
  }
  return entries;
}

// The sum of the vectors' outer products with themselves, the i-th times condition^(i / rows), where the i-th
// has 0.5 at i; and the condition less the shift on the diagonal.
SparseMatrix random_matrix(const Recipe& recipe) {
  constexpr double kCondition = 0.1;
  const std::size_t count = static_cast<std::size_t>(recipe.rows);
  Random random(314159265, 1);  // NAS draws one number before
  std::vector<std::vector<Entry>> rows(count);
  const double ratio = std::pow(kCondition, 1.0 / recipe.rows);
  double size = 1;
  for (int i = 0; i < recipe.rows; ++i, size *= ratio) {
    std::vector<Entry> vector = random_vector(random, recipe);
    const auto own = std::find_if(vector.begin(), vector.end(), [i](const Entry& e) { return e.first == i; });
    if (own == vector.end()) {
      vector.emplace_back(i, 0.5);
    } else {
      own->second = 0.5;
    }
    for (const auto& [row, left] : vector) {
      for (const auto& [column, right] : vector) {
        const double on_diagonal = row == i && column == i ? kCondition - recipe.shift : 0;
        rows[static_cast<std::size_t>(row)].emplace_back(column, right * (size * left) + on_diagonal);
      }
    }
  }
  SparseMatrix matrix;
  matrix.first.push_back(0);
  for (std::vector<Entry>& row : rows) {
    std::sort(row.begin(), row.end());
    for (std::size_t e = 0; e < row.size();) {
      double value = 0;
      const int column = row[e].first;
      for (; e < row.size() && row[e].first == column; ++e) value += row[e].second;
      matrix.columns.push_back(column);
      matrix.values.push_back(value);
    }
    matrix.first.push_back(static_cast<long>(matrix.values.size()));
  }
  return matrix;
}

}  // namespace

Cg::Cg(char problem_class)
    : shift_(recipe_of(problem_class).shift),
      matrix_(random_matrix(recipe_of(problem_class))),
      x_(static_cast<std::size_t>(problem(problem_class).size)),
      solution_(x_.size()),
      residual_(x_.size()),
      direction_(x_.size()),
      product_(x_.size()),
      partials_(static_cast<std::size_t>(pieces_of(size()))) {}

std::vector<double> Cg::published(char problem_class) {
  switch (problem_class) {
    case 'S':
      return {8.5971775078648};
    case 'W':
      return {10.362595087124};
    default:
      return {17.130235054029};
  }
}

void Cg::reset() {
  std::fill(x_.begin(), x_.end(), 1.0);
}

double Cg::row_times(std::size_t row, const std::vector<double>& v) const {
  double sum = 0;
  for (long e = matrix_.first[row]; e < matrix_.first[row + 1]; ++e) {
    const auto entry = static_cast<std::size_t>(e);
    sum += matrix_.values[entry] * v[static_cast<std::size_t>(matrix_.columns[entry])];
  }
  return sum;
}

Cg::Partial Cg::sum() const {
  Partial sum;
  for (const Partial& partial : partials_) {
    sum.first += partial.first;
    sum.second += partial.second;
  }
  return sum;
}

void Cg::begin(Piece piece) {
  Partial partial;
  for (auto i = static_cast<std::size_t>(piece.first); i < static_cast<std::size_t>(piece.last); ++i) {
    solution_[i] = 0;
    residual_[i] = x_[i];
    direction_[i] = x_[i];
    partial.first += x_[i] * x_[i];
  }
  partials_[static_cast<std::size_t>(piece.number)] = partial;
}

void Cg::set_square() {
  square_ = sum().first;
}

void Cg::multiply_direction(Piece piece) {
  Partial partial;
  for (auto i = static_cast<std::size_t>(piece.first); i < static_cast<std::size_t>(piece.last); ++i) {
    product_[i] = row_times(i, direction_);
    partial.first += direction_[i] * product_[i];
  }
  partials_[static_cast<std::size_t>(piece.number)] = partial;
}

void Cg::set_alpha() {
  alpha_ = square_ / sum().first;
}

void Cg::advance(Piece piece) {
  Partial partial;
  for (auto i = static_cast<std::size_t>(piece.first); i < static_cast<std::size_t>(piece.last); ++i) {
    solution_[i] += alpha_ * direction_[i];
    residual_[i] -= alpha_ * product_[i];
    partial.first += residual_[i] * residual_[i];
  }
  partials_[static_cast<std::size_t>(piece.number)] = partial;
}

void Cg::set_beta() {
  const double before = square_;
  square_ = sum().first;
  beta_ = square_ / before;
}

void Cg::turn(Piece piece) {
  for (auto i = static_cast<std::size_t>(piece.first); i < static_cast<std::size_t>(piece.last); ++i) {
    direction_[i] = residual_[i] + beta_ * direction_[i];
  }
}

// NAS computes the residual's norm here as well, from this product, and prints it.
void Cg::multiply_solution(Piece piece) {
  Partial partial;
  for (auto i = static_cast<std::size_t>(piece.first); i < static_cast<std::size_t>(piece.last); ++i) {
    product_[i] = row_times(i, solution_);
    partial.first += x_[i] * solution_[i];
    partial.second += solution_[i] * solution_[i];
  }
  partials_[static_cast<std::size_t>(piece.number)] = partial;
}

void Cg::set_eigenvalue() {
  const Partial products = sum();
  eigenvalue_ = shift_ + 1 / products.first;
  scale_ = 1 / std::sqrt(products.second);
}

void Cg::normalise(Piece piece) {
  for (auto i = static_cast<std::size_t>(piece.first); i < static_cast<std::size_t>(piece.last); ++i) {
    x_[i] = scale_ * solution_[i];
  }
}

}  // namespace nas
