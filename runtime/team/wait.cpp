#include "team/wait.hpp"

#include <atomic>

#include "team/settings.hpp"

namespace heddle {
namespace {

// Looks before sleeping; one costs 50–100 ns. Alone on its processor a thread loses little by spinning as
// long as a wake-up takes a few times over (50 µs on virtual machines); in a crowd it sleeps at once.
constexpr int kDefaultLooks = 3000;
constexpr int kCrowdedLooks = 64;
constexpr int kActiveLooks = 1 << 22;

std::atomic<int> g_threads{1};

}  // namespace

Backoff::Backoff() {
  const Settings& s = settings();
  is_crowded_ = g_threads.load(std::memory_order_relaxed) > s.processors;
  switch (s.wait_policy) {
    case WaitPolicy::kActive:
      limit_ = is_crowded_ ? kDefaultLooks : kActiveLooks;
      break;
    case WaitPolicy::kPassive:
      limit_ = 0;
      break;
    case WaitPolicy::kDefault:
      limit_ = is_crowded_ ? kCrowdedLooks : kDefaultLooks;
      break;
  }
}

void Backoff::add_threads(int count) {
  g_threads.fetch_add(count, std::memory_order_relaxed);
}

void Backoff::forget_other_threads() {
  g_threads.store(1, std::memory_order_relaxed);
}

}  // namespace heddle
