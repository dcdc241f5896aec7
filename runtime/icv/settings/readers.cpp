#include "icv/settings/readers.hpp"

#include <algorithm>

namespace heddle {

const Reader* find_reader(std::string_view name) {
  for (const auto readers : {parallel_readers(), execution_readers(), support_readers(), order_readers()}) {
    const auto found = std::ranges::find(readers, name, &Reader::name);
    if (found != readers.end()) return &*found;
  }
  return nullptr;
}

}  // namespace heddle
