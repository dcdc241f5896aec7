// Transfers of cache lines, counted by the place in the code that caused them.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <unordered_map>

#include "description.hpp"

namespace heddle::machine {

class Transfers {
 public:
  /// `place`: a return address of the call before the access.
  void count(const void* place, Distance distance, Time waited) {
    Count& at = counts_[place];
    ++at.transfers[static_cast<std::size_t>(distance)];
    at.waited += waited;
  }

  /// A list of JSON, the places with most transfers first: file, address in it, transfers by distance, time
  /// waited.
  void print(std::FILE* file) const;

 private:
  struct Count {
    std::array<std::int64_t, kDistances> transfers{};
    Time waited = 0;
  };
  std::unordered_map<const void*, Count> counts_;
};

}  // namespace heddle::machine
