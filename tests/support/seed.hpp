// The seed of random tests: HEDDLE_TEST_SEED, or another one each time. Say it where a test fails.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>

namespace heddle {

inline unsigned test_seed() {
  const char* const given = std::getenv("HEDDLE_TEST_SEED");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
}

/// Random numbers for one test; what fails while it exists says the seed.
template <class Engine = std::mt19937>
class SeededRandom : public Engine {
 public:
  explicit SeededRandom(unsigned seed = test_seed())
      : Engine(seed), trace_(__FILE__, __LINE__, "HEDDLE_TEST_SEED=" + std::to_string(seed)) {}

 private:
  testing::ScopedTrace trace_;
};

}  // namespace heddle
