// Where idle threads sleep: a place per thread and one bit that says it is taken.
//
// Words: a thread *announces* itself, looks once more for work, then *sleeps* or *withdraws*. A waker
// *claims* a bit before it wakes the sleeper, so one event costs at most one system call however many events
// follow. Invariant: no wake-up is lost. Between an announcement and the last look stands the heavy half of a
// fence, between what a waker publishes and its look at the bits the light half (sys/fence.hpp), so either
// the waker sees the bit, or the announced thread's last look sees what the waker published before.
//
// A thread *searches* that looks for work and has found none, and one that was woken until it has looked.
// While somebody searches nobody else is woken for work: a thread that publishes piece after piece would wake
// all, to find that the first took everything. A thread that searched looks once more before it sleeps
// anyway. The last one that searched and finds work looks whether there is more, and wakes the next
// (end_search()).
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>

#include "base/cache_line.hpp"
#include "sys/fence.hpp"
#include "sys/futex.hpp"
#include "sys/processor.hpp"

namespace heddle {

/// How a thread sleeps on a word: another policy drives tests of executions.
struct FutexSleep {
  static constexpr int kLooksBeforeWaking = 16;  // some 300 ns, a tenth of a wake-up

  static void wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected) {
    futex_wait(word, expected);
  }
  static void wait_briefly(const std::atomic<std::uint32_t>& word, std::uint32_t expected, std::int64_t ns) {
    futex_wait_briefly(word, expected, ns);
  }
  static void wake(const std::atomic<std::uint32_t>& word) { futex_wake(word, 1); }
};

template <template <class> class Atomic = std::atomic, class Sleep = FutexSleep>
class Parking {
 public:
  explicit Parking(int places)
      : places_(places),
        words_((places + 63) / 64),
        bits_(new Atomic<std::uint64_t>[static_cast<std::size_t>(words_)]),
        place_(new Place[static_cast<std::size_t>(places)]) {
    for (int w = 0; w < words_; ++w) bits_[static_cast<std::size_t>(w)].store(0, std::memory_order_relaxed);
  }

  int places() const { return places_; }

  /// Says that `number` is about to sleep. It must then look for work once more, and call sleep() or
  /// withdraw().
  void announce(int number) {
    at(number).signal.store(kAsleep, std::memory_order_relaxed);
    announced_.fetch_add(1, std::memory_order_relaxed);
    // release: pairs with the acquire in claim_and_wake(), whose signal comes behind the one above
    word_of(number).fetch_or(bit_of(number), std::memory_order_release);
    Fences<Atomic>::heavy();  // pairs with the light ones in wake() and wake_some()
  }

  /// Takes the announcement back.
  /// Returns false where a waker was faster: the thread searches now, and has to end_search().
  bool withdraw(int number) {
    announced_.fetch_sub(1, std::memory_order_relaxed);
    return (word_of(number).fetch_and(~bit_of(number), std::memory_order_relaxed) & bit_of(number)) != 0;
  }

  /// How many have announced and not withdrawn.
  int announced() const { return announced_.load(std::memory_order_seq_cst); }

  /// Sleeps until woken. Returns whether the thread searches now; it may be the wake-up of an earlier
  /// announcement, and then not. Ordering: what happened before the wake-up is visible afterwards.
  bool sleep(int number) {
    Place& place = at(number);
    while (place.signal.load(std::memory_order_acquire) == kAsleep) Sleep::wait(place.signal, kAsleep);
    // A waker that had claimed an earlier announcement may end this sleep: then the bit still stands.
    return !withdraw(number);
  }

  /// Sleeps until woken, or about so many nanoseconds, or less. Returns whether the thread searches now.
  /// Ordering: none.
  bool sleep_for(int number, std::int64_t ns) {
    Place& place = at(number);
    if (place.signal.load(std::memory_order_relaxed) == kAsleep)
      Sleep::wait_briefly(place.signal, kAsleep, ns);
    return !withdraw(number);
  }

  /// Wakes `number` if it sleeps or is about to.
  void wake(int number) {
    if (!nobody_is_asleep()) claim_and_wake(number);
  }

  /// Wakes one sleeper among the first `places`, if there is one.
  /// Cost: one load where nobody sleeps.
  void wake_one(int places) {
    if (!nobody_is_asleep()) wake_some(places, 1);
  }

  /// The same for work, unless somebody searches.
  void wake_for_work(int places) {
    wake_for_work(places, [] { return false; });
  }

  /// The same, unless is_taken() holds soon: waking a thread takes microseconds, and a thread that is busy
  /// with a short piece comes for the next by itself.
  template <class IsTaken>
  void wake_for_work(int places, IsTaken&& is_taken) {
    if (!nobody_is_asleep()) wake_unless_taken(places, is_taken);
  }

  /// The same for work that `number` should do: it is woken in any case.
  void wake_for_work(int places, int number) {
    if (nobody_is_asleep()) return;
    if (!claim_and_wake(number) && nobody_searches()) wake_some(places, 1);
  }

  /// Says that the caller searches. It must end_search() when it has found something, and before it announces
  /// itself.
  void begin_search() { searching_.fetch_add(1, std::memory_order_relaxed); }

  /// Returns whether the caller was the last that searched: if it goes on to work, and be it what its last
  /// look before sleep has found, it has to look_for_more().
  bool end_search() {
    // seq_cst: before that look; pairs with the fence in nobody_searches()
    return searching_.fetch_sub(1, std::memory_order_seq_cst) <= 1;  // less: a waker has not counted it yet
  }

  /// For work that came while somebody searched nobody may have been woken: the last to cease searching wakes
  /// one of the first `places`, if has_more(), by sequentially consistent loads, and anybody sleeps.
  template <class HasMore>
  void look_for_more(int places, HasMore&& has_more) {
    if (announced() != 0 && has_more()) wake_for_work(places);
  }

  /// Wakes all sleepers among the first `places`.
  void wake_all(int places) {
    if (!nobody_is_asleep()) wake_some(places, places);
  }

 private:
  static constexpr std::uint32_t kAwake = 0, kAsleep = 1;
  struct alignas(kCacheLine) Place {
    Atomic<std::uint32_t> signal{kAwake};
  };

  bool nobody_is_asleep() const {
    Fences<Atomic>::light();  // pairs with announce()
    return announced_.load(std::memory_order_relaxed) == 0;
  }

  template <class IsTaken>
  [[gnu::noinline, gnu::cold]] void wake_unless_taken(int places, IsTaken& is_taken) {
    for (int looks = 0; nobody_searches(); ++looks) {
      if (is_taken()) return;
      if (looks == Sleep::kLooksBeforeWaking) return wake_some(places, 1);
      cpu_relax();
    }
  }

  bool nobody_searches() const {
    Fences<Atomic>::full();  // pairs with the fence of announce(), and with end_search()
    return searching_.load(std::memory_order_relaxed) <= 0;
  }

  [[gnu::noinline, gnu::cold]] void wake_some(int places, int most) {
    for (int w = 0; 64 * w < places; ++w) {
      std::uint64_t sleepers = bits_[static_cast<std::size_t>(w)].load(std::memory_order_relaxed);
      if (places - 64 * w < 64) sleepers &= bit_of(places) - 1;
      for (; sleepers != 0; sleepers &= sleepers - 1)
        if (claim_and_wake(64 * w + std::countr_zero(sleepers)) && --most == 0) return;
    }
  }

  bool claim_and_wake(int number) {
    if ((word_of(number).load(std::memory_order_relaxed) & bit_of(number)) == 0) return false;
    const std::uint64_t before = word_of(number).fetch_and(~bit_of(number), std::memory_order_acquire);
    if ((before & bit_of(number)) == 0) return false;
    // On its behalf; it may have ended that already, and the count been negative for a moment.
    begin_search();
    at(number).signal.store(kAwake, std::memory_order_release);  // release: pairs with the acquire in sleep()
    Sleep::wake(at(number).signal);
    return true;
  }

  Place& at(int number) { return place_[static_cast<std::size_t>(number)]; }
  Atomic<std::uint64_t>& word_of(int number) { return bits_[static_cast<std::size_t>(number / 64)]; }
  static std::uint64_t bit_of(int number) { return std::uint64_t{1} << (number % 64); }

  int places_;
  int words_;
  std::unique_ptr<Atomic<std::uint64_t>[]> bits_;
  std::unique_ptr<Place[]> place_;
  Atomic<int> announced_{0};  // not withdrawn: at least as many as there are bits
  Atomic<int> searching_{0};
};

}  // namespace heddle
