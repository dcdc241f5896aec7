// The array in which GCC passes depend clauses.
//
// Two forms. Old: [0] number of items (not 0), [1] how many of them are out or inout, then addresses, out
// first. New (OpenMP 5.0): [0] is 0, [1] number of items, [2] out/inout, [3] mutexinoutset, [4] in, then
// addresses in that order; what is left over points at pairs {address, kind}, as depend objects hold them.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "deps/access.hpp"

namespace heddle::gomp {

class DependenceList {
 public:
  /// A null array gives an empty list.
  explicit DependenceList(void** depend);
  std::span<const Dependence> span() const { return {items_, count_}; }

 private:
  std::array<Dependence, 16> few_;  // most clauses need no allocation
  std::vector<Dependence> many_;
  Dependence* items_ = few_.data();
  std::size_t count_ = 0;
};

}  // namespace heddle::gomp
