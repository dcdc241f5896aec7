#include "team/wait.hpp"

#include <algorithm>
#include <atomic>
#include <climits>

#include "team/settings.hpp"

namespace heddle {
namespace {

// Looks before sleeping; one costs 50–100 ns. Alone on its processor a thread loses little by spinning as
// long as a wake-up takes a few times over (50 µs on virtual machines); in a crowd it sleeps at once.
constexpr int kDefaultLooks = 3000;
constexpr int kCrowdedLooks = 64;
constexpr int kActiveLooks = 1 << 22;

constexpr int kLooksInMicrosecond = 20;
constexpr int kMostSpinUs = INT_MAX / kLooksInMicrosecond;

std::atomic<int> g_threads{1};

// Looks before sleeping that somebody chose; negative: nobody did.
std::atomic<int>& chosen_looks() {
  static std::atomic<int> looks{settings().spin_us ? *settings().spin_us * kLooksInMicrosecond : -1};
  return looks;
}

}  // namespace

Backoff::Backoff() {
  const Settings& s = settings();
  is_crowded_ = g_threads.load(std::memory_order_relaxed) > s.processors;
  if (const int chosen = chosen_looks().load(std::memory_order_relaxed); chosen >= 0) {
    limit_ = chosen;
    return;
  }
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

void Backoff::set_spin_us(int us) {
  chosen_looks().store(us < 0 ? -1 : std::min(us, kMostSpinUs) * kLooksInMicrosecond,
                       std::memory_order_relaxed);
}

int Backoff::spin_us() {
  return Backoff().limit_ / kLooksInMicrosecond;
}

void Backoff::add_threads(int count) {
  g_threads.fetch_add(count, std::memory_order_relaxed);
}

void Backoff::forget_other_threads() {
  g_threads.store(1, std::memory_order_relaxed);
}

}  // namespace heddle
