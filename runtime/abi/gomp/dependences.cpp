#include "abi/gomp/dependences.hpp"

#include <cstdint>

#include "sys/fatal.hpp"

namespace heddle::gomp {
namespace {

AccessKind kind_of_pair(std::uintptr_t kind) {
  switch (kind) {
    case 1:
      return AccessKind::kIn;
    case 2:
    case 3:
      return AccessKind::kOut;
    case 4:
      return AccessKind::kMutexInOutSet;
    case 5:
      return AccessKind::kInOutSet;
    default:
      fatal("a depend object holds the unknown dependence type %zu; was it initialised?",
            static_cast<std::size_t>(kind));
  }
}

}  // namespace

void read_dependences(void** depend, DependenceList& list) {
  const DependArray from(depend);
  if (from.count == 0) return;
  Dependence* const room = list.make_room(from.count);
  for (std::size_t i = 0; i < from.count; ++i) {
    if (i < from.out) {
      room[i] = {from.items[i], AccessKind::kOut, from.items[i] == nullptr};
    } else if (i < from.out + from.mutex) {
      room[i] = {from.items[i], AccessKind::kMutexInOutSet, false};
    } else if (i < from.out + from.mutex + from.in) {
      room[i] = {from.items[i], AccessKind::kIn, false};
    } else {
      void** const pair = static_cast<void**>(from.items[i]);
      const AccessKind kind = kind_of_pair(reinterpret_cast<std::uintptr_t>(pair[1]));
      room[i] = {pair[0], kind, pair[0] == nullptr && kind == AccessKind::kOut};
    }
  }
}

}  // namespace heddle::gomp
