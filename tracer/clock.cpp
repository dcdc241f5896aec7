#include "tracer/clock.hpp"

#include <pthread.h>

#include <limits>

namespace heddle::tracer {

const bool g_has_even_counter = has_even_counter();

ClockPair read_both_clocks() {
  constexpr int kTries = 5;
  ClockPair best{};
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t before = ticks();
    const std::uint64_t now = monotonic_ns();
    const std::uint64_t took = ticks() - before;
    if (took >= shortest) continue;
    shortest = took;
    best = {before + took / 2, now};
  }
  return best;
}

const ClockPair g_loaded = read_both_clocks();

namespace {
const pthread_t g_loading_thread = pthread_self();
}  // namespace

bool is_loading_thread() {
  return pthread_equal(pthread_self(), g_loading_thread) != 0;
}

}  // namespace heddle::tracer
