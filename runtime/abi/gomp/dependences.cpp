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
  if (depend == nullptr) return;
  const auto word = [&](std::size_t i) { return reinterpret_cast<std::uintptr_t>(depend[i]); };
  const bool is_old = word(0) != 0;
  const std::size_t count = is_old ? word(0) : word(1);
  if (count == 0) return;  // iterators that name nothing: two zeros and no more words
  const std::size_t out = is_old ? word(1) : word(2);
  const std::size_t mutex = is_old ? 0 : word(3);
  const std::size_t in = is_old ? count - out : word(4);
  void** const items = depend + (is_old ? 2 : 5);
  Dependence* const room = list.make_room(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i < out) {
      room[i] = {items[i], AccessKind::kOut, false};
    } else if (i < out + mutex) {
      room[i] = {items[i], AccessKind::kMutexInOutSet, false};
    } else if (i < out + mutex + in) {
      room[i] = {items[i], AccessKind::kIn, false};
    } else {
      void** const pair = static_cast<void**>(items[i]);
      room[i] = {pair[0], kind_of_pair(reinterpret_cast<std::uintptr_t>(pair[1])), false};
    }
  }
}

}  // namespace heddle::gomp
