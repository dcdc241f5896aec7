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

/// Numbers that depend on the block alone: a counter-based generator with the block's number as its key.
/// Source: J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011 (Philox 2x64, 10 rounds).
class BlockStream {
 public:
  explicit BlockStream(std::int64_t block) : block_(static_cast<std::uint64_t>(block)) {}
  /// In [0, 1), a multiple of 2^-53.
  [[nodiscard]] double next_fraction();

 private:
  std::uint64_t block_;
  std::uint64_t count_ = 0;
  std::array<std::uint64_t, 2> ready_{};  // the second of two is used next where count_ is odd
};

/// Fills the interior of one block, and its faces of generation 0, from a stream of values
/// (Stream::next_fraction()): variable, i, j, k, in this order. With one stream for all blocks, call it in
/// increasing block number.
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
    field.refresh_faces(slot, v, 0);
  }
}

}  // namespace heddle::amr
