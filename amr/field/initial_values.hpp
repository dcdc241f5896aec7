// Initial cell values: the stream of C's rand() as the GNU C library makes it, unseeded, written out so that
// every system starts from the same field.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace heddle::amr {

/// glibc's additive-feedback generator, seed 1.
class RandomStream {
 public:
  static constexpr std::uint32_t kMax = 2147483647;
  RandomStream();
  /// The next output, 0..kMax.
  [[nodiscard]] std::uint32_t next();
  /// The next output as a fraction of kMax.
  [[nodiscard]] double next_fraction() { return static_cast<double>(next()) / static_cast<double>(kMax); }

 private:
  std::array<std::uint32_t, 31> state_{};
  int at_ = 0;
};

/// The constants of stencil 0: drawn before any cell.
struct MixtureConstants {
  double a1 = 0.0;
  std::vector<double> a0;
};
[[nodiscard]] MixtureConstants draw_mixture_constants(RandomStream& stream, int num_vars);

/// Fills the interior of one block from a stream of values (Stream::next_fraction()): variable, i, j, k, in
/// this order. With one stream for all blocks, call it in increasing block number.
template <class Field, class Stream>
void fill_initial_values(Field& field, int slot, Stream& stream) {
  const auto& shape = field.shape();
  for (int v = 0; v < shape.num_vars; ++v) {
    for (int i = 1; i <= shape.nx(); ++i) {
      for (int j = 1; j <= shape.ny(); ++j) {
        double* row = field.row(slot, v, i, j);
        for (int k = 0; k < shape.nz(); ++k) row[k] = stream.next_fraction();
      }
    }
    field.refresh_skins(slot, v);
  }
}

}  // namespace heddle::amr
