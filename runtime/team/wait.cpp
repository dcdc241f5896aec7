#include "team/wait.hpp"

#include <algorithm>
#include <utility>

#include "base/cache_line.hpp"
#include "base/relaxed_atomic.hpp"
#include "icv/settings.hpp"
#include "sched/limits.hpp"
#include "sync/oversubscription.hpp"
#include "sys/machine.hpp"

namespace heddle {
namespace {

constexpr std::int64_t kNsInUs = 1000;

alignas(kCacheLine) RelaxedAtomic<std::int64_t> g_spin_ns{-1};  // negative: not read yet
RelaxedAtomic<std::int64_t> g_wanted_until{0};                  // the processors are wanted by others

std::int64_t policy_spin_ns() {
  const Settings& s = settings();
  if (s.spin_us) return *s.spin_us * kNsInUs;
  switch (s.wait_policy) {
    case WaitPolicy::kActive:
      return limits::kActiveSpinNs;
    case WaitPolicy::kPassive:
      return 0;
    case WaitPolicy::kDefault:
      break;
  }
  return limits::kSpinNs;
}

std::int64_t spin_ns() {
  const std::int64_t known = g_spin_ns.load();
  if (known >= 0) return known;
  const std::int64_t read = policy_spin_ns();
  g_spin_ns.store(read);
  return read;
}

}  // namespace

bool Backoff::is_oversubscribed() {
  return g_oversubscription.holds();
}

// Another process had the processor for so long.
void Backoff::back_off(std::int64_t now, std::int64_t lost_ns) {
  // Where several lose it at once, as to a machine that stops, it is one loss.
  if (g_wanted_until.load() > now - lost_ns) return;
  const std::int64_t duration_ns = is_oversubscribed_ ? std::min(lost_ns, limits::kSliceNs) : lost_ns;
  g_wanted_until.store(now + duration_ns);
}

// Yields once. Returns false where that took so long that another process must have had the processor.
bool Backoff::yield_briefly() {
  const std::int64_t before = monotonic_ns();
  if (before < g_wanted_until.load()) return false;
  if (started_ns_ == 0) started_ns_ = before;
  yield_cpu();
  checked_ns_ = monotonic_ns();
  lost_ns_ = checked_ns_ - before;
  if (lost_ns_ < limits::kPreemptedNs) return true;
  back_off(checked_ns_, lost_ns_);
  return false;
}

// The same without the system call: since the last look at the clock.
bool Backoff::has_kept_processor() {
  const std::int64_t now = monotonic_ns();
  if (now < g_wanted_until.load()) return false;
  const std::int64_t passed = now - std::exchange(checked_ns_, now);
  if (passed < limits::kPreemptedNs) return true;
  back_off(now, passed);
  return false;
}

bool Backoff::yield() {
  const std::int64_t most = spin_ns();
  if (most == 0 || looks_ >= yields_ || !yield_briefly()) return false;
  is_unwanted_ = lost_ns_ < limits::kUnwantedNs;
  if (!is_unwanted_) {
    ++looks_;
    return true;
  }
  return checked_ns_ - started_ns_ < most;
}

// The thread that we wait for may stand in line behind us, hence the yield, at the first check and at some of
// those that follow: it is a system call.
bool Backoff::may_go_on() {
  const bool goes_on = checks_++ % limits::kChecksAYield == 0 ? yield_briefly() : has_kept_processor();
  return goes_on && checked_ns_ - started_ns_ < spin_ns();
}

void Backoff::set_spin_us(int us) {
  g_spin_ns.store(us < 0 ? policy_spin_ns() : std::int64_t{us} * kNsInUs);
}

int Backoff::spin_us() {
  return static_cast<int>(spin_ns() / kNsInUs);
}

void Backoff::add_threads(int count) {
  static const int processors = settings().processors;
  g_oversubscription.add(count, processors);
}

void Backoff::forget_other_threads() {
  g_oversubscription.forget_others();
}

}  // namespace heddle
