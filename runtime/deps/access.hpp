// The kinds of access that a depend clause can state (OpenMP 5.2, section 15.9.5).
//
// Words: accesses of a *sharing* kind that follow one another on one address form a set whose members do not
// wait for each other; every set waits for the whole set before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

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

// The dependences of one construct, as the compiled program's array is read: on the stack where they are few.

class DependenceList {
 public:
  /// An empty list.
  DependenceList() = default;
  DependenceList(const DependenceList&) = delete;
  DependenceList& operator=(const DependenceList&) = delete;

  /// Room for `count` dependences, to be written by the caller. Called once.
  Dependence* make_room(std::size_t count) {
    count_ = count;
    if (count > kFew) {
      many_ = std::make_unique<Dependence[]>(count);
      items_ = many_.get();
    }
    return items_;
  }

  std::span<const Dependence> span() const { return {items_, count_}; }

 private:
  static constexpr std::size_t kFew = 16;

  std::size_t count_ = 0;
  Dependence* items_ = few_;
  std::unique_ptr<Dependence[]> many_;
  Dependence few_[kFew];  // NOLINT: written by who asked for room
};

}  // namespace heddle
