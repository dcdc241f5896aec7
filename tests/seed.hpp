// The seed of random tests: HEDDLE_TEST_SEED, or another one each time. Say it where a test fails.
#pragma once

#include <cstdlib>
#include <random>

namespace heddle {

inline unsigned test_seed() {
  const char* const given = std::getenv("HEDDLE_TEST_SEED");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
}

}  // namespace heddle
