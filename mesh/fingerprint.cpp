#include "mesh/fingerprint.hpp"

#include <array>
#include <cstdio>

namespace heddle::mesh {

std::string to_hex(std::uint64_t fingerprint) {
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(fingerprint));
  return text.data();
}

}  // namespace heddle::mesh
