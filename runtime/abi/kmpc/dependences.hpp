// The arrays in which Clang passes depend clauses.
#pragma once

#include "abi/kmpc/kmpc.hpp"
#include "deps/dependence_list.hpp"

namespace heddle::kmpc {

inline Dependence convert(const DependInfo& info) {
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

/// Reads the array into an empty list.
inline void read_dependences(std::int32_t count, const DependInfo* items, DependenceList& list) {
  if (count <= 0 || items == nullptr) return;
  Dependence* const room = list.make_room(static_cast<std::size_t>(count));
  for (std::int32_t i = 0; i < count; ++i) room[i] = convert(items[i]);
}

}  // namespace heddle::kmpc
