// How each environment variable becomes a field of Settings, and how the field is shown again.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "icv/settings/values.hpp"

namespace heddle {

struct Reader {
  std::string_view name;
  /// Returns false, and changes nothing, where the text is not understood.
  bool (*read)(Settings&, std::string_view text);
  /// What OMP_DISPLAY_ENV prints between quotes.
  std::string (*show)(const Settings&);
};

std::span<const Reader> parallel_readers();   // OpenMP 5.2, sections 21.1 and 21.6
std::span<const Reader> execution_readers();  // sections 21.2 and 21.7, and our own
std::span<const Reader> support_readers();    // sections 21.3 to 21.5
std::span<const Reader> order_readers();      // our own: the order of tasks

/// Gives target the value there is, if any, and says whether there is one.
template <class T>
bool assign(T& target, const auto& value) {
  if (value) target = *value;
  return value.has_value();
}

/// Null where no reader has that name.
const Reader* find_reader(std::string_view name);

}  // namespace heddle
