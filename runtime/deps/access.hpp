// The kinds of access that a depend clause can state (OpenMP 5.2, section 15.9.5).
//
// Words: accesses of a *sharing* kind that follow one another on one address form a set whose members do not
// wait for each other; every set waits for the whole set before it.
#pragma once

#include <cstdint>

namespace heddle {

enum class AccessKind : std::uint8_t {
  kIn,             // readers: a sharing kind
  kOut,            // out and inout: alone in its set
  kMutexInOutSet,  // in any order, one at a time: a sharing kind with an exclusion
  kInOutSet,       // in any order, together: a sharing kind
};

constexpr bool is_sharing(AccessKind kind) {
  return kind != AccessKind::kOut;
}

/// One list item of a depend clause. `address` is what identifies the storage; null with `is_all_memory`.
struct Dependence {
  void* address;
  AccessKind kind;
  bool is_all_memory;
};

}  // namespace heddle
