#include "sched/spawn_policy.hpp"

#include <array>
#include <cstddef>

namespace heddle {

std::string_view name_of(Why why) {
  static constexpr std::array<std::string_view, kWhys> kNames = {
      "a reason to queue all", "may suspend",      "too deep",  "team of one", "siblings incomplete",
      "serial creation",       "registered first", "recursion", "queue full",  "shared",
  };
  return kNames[static_cast<std::size_t>(why)];
}

}  // namespace heddle
