#include "exchange/exact_sum.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace heddle::exchange {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int kBits = 32;  // of a chunk, once carries are out of it
constexpr std::int64_t kLow = (std::int64_t{1} << kBits) - 1;
constexpr int kMantissa = 52;
constexpr int kLeastExponent = -1074;  // of the smallest denormal
constexpr int kNan = ExactSum::kChunks, kPlus = kNan + 1, kMinus = kNan + 2;

using Digits = std::array<std::int64_t, ExactSum::kChunks>;

// Moves carries up: every digit but the last is 0..2^32-1.
void carry(Digits& digits) {
  std::int64_t over = 0;
  for (std::size_t i = 0; i + 1 < digits.size(); ++i) {
    const std::int64_t all = digits[i] + over;
    digits[i] = all & kLow;
    over = all >> kBits;
  }
  digits.back() += over;
}

// Of a number that is not negative.
double rounded(const Digits& digits) {
  int top = static_cast<int>(digits.size()) - 1;
  while (top > 0 && digits[static_cast<std::size_t>(top)] == 0) --top;
  const auto digit = [&](int i) {
    return i < 0 ? Wide{0} : static_cast<Wide>(digits[static_cast<std::size_t>(i)]);
  };
  const Wide all = digit(top) << 2 * kBits | digit(top - 1) << kBits | digit(top - 2);
  if (all == 0) return 0.0;
  const int width = 2 * kBits + std::bit_width(static_cast<std::uint64_t>(digit(top)));
  const int shift = width - (kMantissa + 1);
  auto kept = static_cast<std::uint64_t>(all >> shift);
  const Wide rest = all - (static_cast<Wide>(kept) << shift);
  const Wide half = Wide{1} << (shift - 1);
  bool is_more = rest > half;
  for (int i = 0; i < top - 2 && rest == half && !is_more; ++i)
    is_more = digits[static_cast<std::size_t>(i)] != 0;
  if (is_more || (rest == half && kept % 2 != 0)) ++kept;
  return std::ldexp(static_cast<double>(kept), kBits * (top - 2) + kLeastExponent + shift);
}

}  // namespace

void ExactSum::add(double term) {
  const auto bits = std::bit_cast<std::uint64_t>(term);
  const auto exponent = static_cast<int>(bits >> kMantissa & 0x7ff);
  auto mantissa = static_cast<std::int64_t>(bits & ((std::uint64_t{1} << kMantissa) - 1));
  const bool is_negative = (bits >> 63) != 0;
  if (exponent == 0x7ff) {
    ++words_[static_cast<std::size_t>(mantissa != 0 ? kNan : is_negative ? kMinus : kPlus)];
    return;
  }
  if (exponent != 0) mantissa |= std::int64_t{1} << kMantissa;
  const int place = exponent == 0 ? 0 : exponent - 1;  // in units of the smallest denormal
  const auto chunk = static_cast<std::size_t>(place / kBits);
  const Wide shifted = static_cast<Wide>(mantissa) << place % kBits;
  const std::int64_t sign = is_negative ? -1 : 1;
  for (std::size_t i = 0; i < 3; ++i)
    words_[chunk + i] += sign * (static_cast<std::int64_t>(shifted >> (kBits * i)) & kLow);
}

double ExactSum::value() const {
  const double infinity = std::numeric_limits<double>::infinity();
  if (words_[kNan] != 0 || (words_[kPlus] != 0 && words_[kMinus] != 0))
    return std::numeric_limits<double>::quiet_NaN();
  if (words_[kPlus] != 0) return infinity;
  if (words_[kMinus] != 0) return -infinity;
  Digits digits;
  for (std::size_t i = 0; i < digits.size(); ++i) digits[i] = words_[i];
  carry(digits);
  if (digits.back() >= 0) return rounded(digits);
  for (std::int64_t& digit : digits) digit = -digit;
  carry(digits);
  return -rounded(digits);
}

}  // namespace heddle::exchange
