// What is measured of a state: exact sums and fingerprints, which depend neither on order nor on partition.
//
// Every function here is collective: all ranks call it, and all get the whole mesh's answer.
#pragma once

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "exchange/exact_sum.hpp"
#include "wave/exec/patch_mesh.hpp"
#include "wave/exec/solver.hpp"

namespace heddle::wave {

/// Adds up terms of many kinds over all ranks.
template <std::size_t N>
class ExactSums {
 public:
  void add(std::size_t kind, double term) { sums_[kind].add(term); }
  [[nodiscard]] std::array<double, N> over(exchange::Communicator& ranks) {
    std::array<double, N> values;
    for (std::size_t n = 0; n < N; ++n) {
      ranks.reduce(sums_[n].words(), exchange::Reduction::sum);
      values[n] = sums_[n].value();
    }
    return values;
  }

 private:
  std::array<exchange::ExactSum, N> sums_;
};

/// Values with an equation's names for them.
template <std::size_t N>
[[nodiscard]] std::vector<Named> named(const std::array<const char*, N>& names,
                                       const std::array<double, N>& values) {
  std::vector<Named> list;
  for (std::size_t v = 0; v < N; ++v) list.push_back({names[v], values[v]});
  return list;
}

/// The sum over patches of a hash of their numbers and bits, modulo 2^64 (splitmix64 over the words of a
/// patch).
template <Equation E, int D, int R>
[[nodiscard]] std::uint64_t fingerprint_of_state(const PatchMesh<E, D, R>& mesh, int copy,
                                                 exchange::Communicator& ranks) {
  const auto mix = [](std::uint64_t z) {
    z += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
  };
  const Patches<E, D>& patches = mesh.patches();
  std::uint64_t sum = 0;
  for (int patch = 0; patch < mesh.part().own(); ++patch) {
    std::uint64_t hash = mix(static_cast<std::uint64_t>(mesh.part().leaf(patch).number));
    const double* const values = mesh.values(patch, copy);
    for_each_volume<D>(patches.shape().volumes(), [&](const std::array<int, D>& volume) {
      for (const double q : patches.volume(values, patches.shape().at(volume))) {
        std::uint64_t word = 0;
        std::memcpy(&word, &q, sizeof word);
        hash = mix(hash ^ word);
      }
    });
    sum += hash;
  }
  return ranks.sum_of_bits(sum);
}

/// Everybody's list, one rank after the other, on every rank. Requires: Value is a plain structure.
template <class Value>
[[nodiscard]] std::vector<Value> gather_list(const std::vector<Value>& mine, exchange::Communicator& ranks) {
  static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) % sizeof(int) == 0);
  std::vector<int> words(mine.size() * sizeof(Value) / sizeof(int));
  if (!mine.empty()) std::memcpy(words.data(), mine.data(), mine.size() * sizeof(Value));
  words = ranks.gather(words);
  std::vector<Value> all(words.size() * sizeof(int) / sizeof(Value));
  if (!all.empty()) std::memcpy(static_cast<void*>(all.data()), words.data(), words.size() * sizeof(int));
  return all;
}

}  // namespace heddle::wave
