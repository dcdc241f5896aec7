// The dependences of one construct, as the compiled program's array is read: on the stack where they are few.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "deps/access.hpp"

namespace heddle {

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
