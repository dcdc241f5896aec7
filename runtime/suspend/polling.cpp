#include "suspend/polling.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <span>
#include <utility>

#include "base/published.hpp"
#include "base/relaxed_atomic.hpp"
#include "suspend/spawned.hpp"
#include "suspend/suspension.hpp"
#include "sync/process_lock.hpp"
#include "sys/machine.hpp"
#include "sys/thread_pointer.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {
namespace {

ProcessLock g_lock;  // for a thread that registers
constinit std::array<PollerSlot<>, kMostPollers> g_slots;
constinit Published<int> g_slots_used{0};  // the first so many have been in use
constinit RelaxedAtomic<int> g_pollers{0};
constinit thread_local PollerSlot<>* t_calling [[gnu::tls_model("initial-exec")]] = nullptr;

std::span<PollerSlot<>> slots_used() {
  return std::span(g_slots).first(static_cast<std::size_t>(g_slots_used.seen()));
}

std::int64_t next_due() {
  std::int64_t earliest = INT64_MAX;
  for (const PollerSlot<>& slot : slots_used()) earliest = std::min(earliest, slot.due());
  // One may become ready at any time, and wakes nobody.
  constexpr std::int64_t kLongestNs = 1'000'000;
  if (has_spawned()) earliest = std::min({earliest, next_spawned_due(), monotonic_ns() + kLongestNs});
  return earliest;
}

bool call_pollers(std::int64_t now) {
  bool was_any = false;
  for (PollerSlot<>& slot : slots_used()) {
    PollerSlot<>* const outer = std::exchange(of_this_thread(t_calling), &slot);
    was_any |= slot.call_if_due(now, &monotonic_ns);
    of_this_thread(t_calling) = outer;
  }
  return was_any;
}

// Sleeps until woken, or about until `due`.
bool sleep_until(Member& me, std::int64_t due) {
  Parking<>& parking = me.team->parking;
  WaitInPlace* const wait = me.waits;
  if (wait != nullptr) observe(&Observer::thread_waits, *wait);
  bool searches;
  if (due == INT64_MAX) {
    searches = parking.sleep(me.number);
  } else {
    const std::int64_t now = monotonic_ns();
    searches = due > now ? parking.sleep_for(me.number, due - now) : !parking.withdraw(me.number);
  }
  return searches;
}

}  // namespace

PollerSlot<>* add_poller(Member& me, const Poller& poller) {
  g_lock.lock();
  const auto free = std::ranges::find_if(g_slots, [](const PollerSlot<>& slot) { return slot.is_free(); });
  const bool has_room = free != g_slots.end();
  if (has_room) {
    free->add(poller, monotonic_ns());
    const int used = static_cast<int>(free - g_slots.begin()) + 1;
    if (used > g_slots_used) g_slots_used = used;
    g_pollers.fetch_add(1);
    g_to_poll.fetch_add(1);
    g_reasons.add(Reason::kPollers);
    g_watch_round.begin();
  }
  g_lock.unlock();
  if (!has_room) return nullptr;
  me.team->parking.wake_all(me.team->places);  // one of them will watch
  return &*free;
}

void remove_poller(PollerSlot<>& slot) {
  const auto load = [](const auto& word, std::memory_order order) { return word.load(order); };
  slot.remove(of_this_thread(t_calling) == &slot,
              [&](auto&& is_over) { spin_until([&] { return is_over(load); }); });
  g_to_poll.fetch_sub(1);
  const std::lock_guard guard(g_lock);
  if (g_pollers.fetch_sub(1) == 1) g_reasons.remove(Reason::kPollers);
}

bool is_in_poller() {
  return of_this_thread(t_calling) != nullptr;
}

bool poll(Member& me) {
  const std::int64_t now = monotonic_ns();
  bool was_any = wake_sleepers(me, now);
  was_any |= call_pollers(now);
  if (has_spawned()) was_any |= poll_spawned(me, now);
  return was_any;
}

bool sleep(Member& me) {
  const std::int64_t own_due = std::min(next_sleeper_due(me), next_due_in_spawn_place(me));
  const bool is_to_be_watched = g_pollers.load() != 0 || has_spawned();
  const std::uint32_t round = g_watch_round.number();
  me.has_left_watch = false;
  if (!is_to_be_watched || !me.team->watch.begin(round)) return sleep_until(me, own_due);
  const bool was_woken = sleep_until(me, std::min(next_due(), own_due));
  me.team->watch.end(round);
  me.has_left_watch = true;
  return was_woken;
}

void forget_other_pollers() {
  for (PollerSlot<>& slot : slots_used()) slot.survive_fork(of_this_thread(t_calling) == &slot);
}

std::int64_t sleep_task(Member& me, std::int64_t ns, const void* lock) {
  expect_suspension();
  const std::int64_t began = monotonic_ns();
  if (SpawnedTask* const spawned = SpawnedTask::of(*me.context.task)) {
    sleep_spawned(*spawned, std::max<std::int64_t>(ns, 0));
    return monotonic_ns() - began;
  }
  Suspension self(me, lock != nullptr ? WaitsFor::kLock : WaitsFor::kTime, lock);
  add_sleeper(me, self, began + std::max<std::int64_t>(ns, 0));
  suspend(self);
  return monotonic_ns() - began;
}

}  // namespace heddle
