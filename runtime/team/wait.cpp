#include "team/wait.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "icv/settings.hpp"
#include "sync/futex_lock.hpp"
#include "sys/machine.hpp"

namespace heddle {
namespace {

constexpr std::int64_t kNsInUs = 1000;

// How long to spin where nobody else wants the processor. Serial parts of fork-join programs last for up to
// some milliseconds, and a wake-up costs some 50 us on virtual machines, once for each of them.
constexpr std::int64_t kDefaultSpinNs = 10'000 * kNsInUs;
constexpr std::int64_t kActiveSpinNs = 500'000 * kNsInUs;

// A yield that takes less found nobody else ready on its processor: the system call alone takes 0.3 to 0.6
// us, a switch to another thread and back 3 us or more.
constexpr std::int64_t kUnwantedNs = 1 * kNsInUs;
// A yield, or a few looks, take microseconds, and among threads of this process some hundred at most. If the
// clock says so much, another process had the processor for a time slice.
constexpr std::int64_t kPreemptedNs = 1000 * kNsInUs;
// Then waiting threads of this process sleep at once for some time: a yield would hand over the processor for
// another time slice, while a sleeper that is woken comes first. The time is what was lost, and doubles with
// every loss that follows soon, to so many times as much. So what does not last (a machine below ours that
// took the processor) hardly matters, and looking again at what does costs a few percent.
constexpr std::int64_t kLongestBackOff = 30;
constexpr std::int64_t kSoon = 4;  // in times of the last back-off
// When the machine is oversubscribed, threads of this process that compute look like others. Sleeping costs a
// wake-up each time, so it lasts a time slice at most, which halves what one that stays can take.
constexpr std::int64_t kSliceNs = 4000 * kNsInUs;
// Of so many looks at the clock, 3 us apart, one gives the processor away.
constexpr int kChecksAYield = 16;

std::atomic<int> g_threads{1};
std::atomic<std::int64_t> g_spin_ns{-1};      // negative: not read yet
std::atomic<std::int64_t> g_wanted_until{0};  // the processors are wanted by others
std::atomic<std::int64_t> g_back_off_ns{0};   // how long the last time

std::int64_t policy_spin_ns() {
  const Settings& s = settings();
  if (s.spin_us) return *s.spin_us * kNsInUs;
  switch (s.wait_policy) {
    case WaitPolicy::kActive:
      return kActiveSpinNs;
    case WaitPolicy::kPassive:
      return 0;
    case WaitPolicy::kDefault:
      break;
  }
  return kDefaultSpinNs;
}

std::int64_t spin_ns() {
  const std::int64_t known = g_spin_ns.load(std::memory_order_relaxed);
  if (known >= 0) return known;
  const std::int64_t read = policy_spin_ns();
  g_spin_ns.store(read, std::memory_order_relaxed);
  return read;
}

std::int64_t back_off_ns(std::int64_t now, std::int64_t lost, bool is_oversubscribed) {
  if (is_oversubscribed) return std::min(lost, kSliceNs);
  const std::int64_t last = g_back_off_ns.load(std::memory_order_relaxed);
  const bool is_soon = now - g_wanted_until.load(std::memory_order_relaxed) < kSoon * last;
  return is_soon ? std::clamp(2 * last, lost, kLongestBackOff * lost) : lost;
}

}  // namespace

bool Backoff::is_oversubscribed() {
  static const int processors = settings().processors;
  return g_threads.load(std::memory_order_relaxed) > processors;
}

// Somebody else had the processor for so long. Returns false.
bool Backoff::back_off(std::int64_t now, std::int64_t lost_ns) {
  // Where several lose it at once, as to a machine that stops, it is one loss.
  if (g_wanted_until.load(std::memory_order_relaxed) > now - lost_ns) return false;
  const std::int64_t duration_ns = back_off_ns(now, lost_ns, is_oversubscribed_);
  g_back_off_ns.store(duration_ns, std::memory_order_relaxed);
  g_wanted_until.store(now + duration_ns, std::memory_order_relaxed);
  return false;
}

// Yields once. Returns false where that took so long that somebody else must have had the processor.
bool Backoff::yield_briefly() {
  const std::int64_t before = monotonic_ns();
  if (before < g_wanted_until.load(std::memory_order_relaxed)) return false;
  if (started_ns_ == 0) started_ns_ = before;
  yield_cpu();
  checked_ns_ = monotonic_ns();
  lost_ns_ = checked_ns_ - before;
  return lost_ns_ < kPreemptedNs || back_off(checked_ns_, lost_ns_);
}

// The same without the system call: since the last look at the clock.
bool Backoff::has_kept_processor() {
  const std::int64_t now = monotonic_ns();
  if (now < g_wanted_until.load(std::memory_order_relaxed)) return false;
  const std::int64_t passed = now - std::exchange(checked_ns_, now);
  return passed < kPreemptedNs || back_off(now, passed);
}

bool Backoff::yield() {
  const std::int64_t most = spin_ns();
  if (most == 0 || looks_ >= yields_ || !yield_briefly()) return false;
  is_unwanted_ = lost_ns_ < kUnwantedNs;
  if (!is_unwanted_) {
    ++looks_;
    return true;
  }
  return checked_ns_ - started_ns_ < most;
}

// The thread that we wait for may stand in line behind us, hence the yield, at the first check and at some of
// those that follow: it is a system call.
bool Backoff::may_go_on() {
  const bool goes_on = checks_++ % kChecksAYield == 0 ? yield_briefly() : has_kept_processor();
  return goes_on && checked_ns_ - started_ns_ < spin_ns();
}

void Backoff::set_spin_us(int us) {
  g_spin_ns.store(us < 0 ? policy_spin_ns() : std::int64_t{us} * kNsInUs, std::memory_order_relaxed);
}

int Backoff::spin_us() {
  return static_cast<int>(spin_ns() / kNsInUs);
}

void Backoff::add_threads(int count) {
  g_threads.fetch_add(count, std::memory_order_relaxed);
  const bool now = is_oversubscribed();
  if (oversubscription_hint().load(std::memory_order_relaxed) != now)
    oversubscription_hint().store(now, std::memory_order_relaxed);
}

void Backoff::forget_other_threads() {
  g_threads.store(1, std::memory_order_relaxed);
}

}  // namespace heddle
