// The arrays in which Clang passes depend clauses.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "abi/kmpc/kmpc.hpp"
#include "deps/access.hpp"

namespace heddle::kmpc {

class DependenceList {
 public:
  DependenceList(std::int32_t count, const DependInfo* items) {
    if (count <= 0 || items == nullptr) return;
    count_ = static_cast<std::size_t>(count);
    if (count_ > few_.size()) {
      many_.resize(count_);
      items_ = many_.data();
    }
    for (std::size_t i = 0; i < count_; ++i) items_[i] = convert(items[i]);
  }
  std::span<const Dependence> span() const { return {items_, count_}; }

 private:
  static Dependence convert(const DependInfo& info) {
    // omp_all_memory has two spellings: a bit, and an address that no variable has.
    const bool is_all = (info.flags & 0x80) != 0 || info.address == -1;
    Dependence result{reinterpret_cast<void*>(info.address), AccessKind::kOut, is_all};
    if ((info.flags & 0x2) != 0)
      result.kind = AccessKind::kOut;
    else if ((info.flags & 0x1) != 0)
      result.kind = AccessKind::kIn;
    else if ((info.flags & 0x4) != 0)
      result.kind = AccessKind::kMutexInOutSet;
    else if ((info.flags & 0x8) != 0)
      result.kind = AccessKind::kInOutSet;
    return result;
  }

  std::array<Dependence, 16> few_;  // most clauses need no allocation
  std::vector<Dependence> many_;
  Dependence* items_ = few_.data();
  std::size_t count_ = 0;
};

}  // namespace heddle::kmpc
