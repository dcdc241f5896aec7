// Sums of doubles that do not depend on the order of additions: the exact sum, rounded once.
//
// Words: a *chunk* is a signed 64-bit integer that counts multiples of 2^(32 i - 1074), i being its number;
// neighbouring chunks overlap by 32 bits, so that carries wait until the value is asked for.
//
// Invariant: the chunks are integers, so adding those of several sums, in any order, by any means (MPI_SUM
// over int64_t), gives those of all terms together. Fewer than 2^31 terms in all.
//
// Source: R. M. Neal, "Fast exact summation using small and large superaccumulators", 2015 (the small one).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace heddle::exchange {

class ExactSum {
 public:
  static constexpr int kChunks = 67;
  /// Chunks, then how many terms were NaN, plus and minus infinity.
  static constexpr int kWords = kChunks + 3;

  void add(double term);
  [[nodiscard]] std::span<const std::int64_t, kWords> words() const { return words_; }
  [[nodiscard]] std::span<std::int64_t, kWords> words() { return words_; }
  /// The sum of all terms, rounded to nearest, ties to even; infinite or NaN where a term was.
  [[nodiscard]] double value() const;

 private:
  std::array<std::int64_t, kWords> words_{};
};

}  // namespace heddle::exchange
