#include "amr/field/initial_values.hpp"

#include <Random123/philox.h>

#include <cmath>

namespace heddle::amr {

RandomStream::RandomStream() {
  // r[0..30] from a linear generator, r[31..33] a copy, then r[i] = r[i-3] + r[i-31]; outputs start at
  // r[344].
  std::array<std::uint32_t, 34> r{};
  r[0] = 1;
  for (int i = 1; i < 31; ++i) r[i] = static_cast<std::uint32_t>(16807ULL * r[i - 1] % kMax);
  for (int i = 31; i < 34; ++i) r[i] = r[i - 31];
  for (int i = 3; i < 34; ++i) state_[i % 31] = r[i];
  at_ = 34 % 31;
  for (int i = 34; i < 344; ++i) (void)next();
}

std::uint32_t RandomStream::next() {
  state_[at_] += state_[(at_ + 28) % 31];
  const std::uint32_t result = state_[at_] >> 1;
  at_ = (at_ + 1) % 31;
  return result;
}

MixtureConstants draw_mixture_constants(RandomStream& stream, int num_vars) {
  MixtureConstants constants;
  constants.a1 = stream.next_fraction();
  for (int n = 0; n < num_vars / 4; ++n) constants.a0.push_back(stream.next_fraction());
  return constants;
}

double BlockStream::next_fraction() {
  if (count_ % 2 == 0) {
    const r123::Philox2x64::ctr_type drawn = r123::Philox2x64()({{count_ / 2, 0}}, {{block_}});
    ready_ = {drawn[0], drawn[1]};
  }
  return std::ldexp(static_cast<double>(ready_[count_++ % 2] >> 11), -53);
}

}  // namespace heddle::amr
