#include "loop/workshare.hpp"

#include <algorithm>

#include "base/relaxed_atomic.hpp"
#include "sync/event_count.hpp"
#include "sys/fatal.hpp"
#include "tasking/cancellation.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {
namespace {

bool next_static(const Workshare& ws, Member& me, IterationRange* range) {
  const auto team_size = static_cast<std::uint64_t>(me.team->size);
  const auto number = static_cast<std::uint64_t>(me.number);
  if (ws.schedule.chunk == 0) {
    if (me.loop.static_round++ != 0) return false;
    *range = static_share(ws.trip, me.number, me.team->size);
    return range->count != 0;
  }
  const std::uint64_t round = me.loop.static_round++;
  const std::uint64_t chunks = ws.trip / ws.schedule.chunk + (ws.trip % ws.schedule.chunk != 0);
  if (number >= chunks || round > (chunks - 1 - number) / team_size) return false;
  const std::uint64_t first = (round * team_size + number) * ws.schedule.chunk;
  *range = {first, std::min(ws.schedule.chunk, ws.trip - first), false};
  return true;
}

bool next_dynamic(Workshare& ws, IterationRange* range) {
  const std::uint64_t chunk = std::max<std::uint64_t>(ws.schedule.chunk, 1);
  std::uint64_t first;
  if (ws.trip < std::uint64_t{1} << 62 && chunk < std::uint64_t{1} << 48) {
    if (ws.next.load() >= ws.trip) return false;
    first = ws.next.fetch_add(chunk);  // cannot wrap: at most 4096 threads overshoot
    if (first >= ws.trip) return false;
  } else {
    first = ws.next.load();
    do {
      if (first >= ws.trip) return false;
    } while (!ws.next.compare_exchange_weak(first, first + std::min(chunk, ws.trip - first)));
  }
  *range = {first, std::min(chunk, ws.trip - first), false};
  return true;
}

// Each chunk is the rest divided by the team's size, but not smaller than the chunk given. A trapezoidal
// schedule, whose chunks shrink linearly, is served by the same.
bool next_guided(Workshare& ws, int team_size, IterationRange* range) {
  const std::uint64_t smallest = std::max<std::uint64_t>(ws.schedule.chunk, 1);
  std::uint64_t first = ws.next.load();
  std::uint64_t count;
  do {
    if (first >= ws.trip) return false;
    const std::uint64_t rest = ws.trip - first;
    const auto share = static_cast<std::uint64_t>(team_size);
    count = std::max(smallest, rest / share + (rest % share != 0));
    if (ws.schedule.multiple > 1)
      count = (count - 1) / ws.schedule.multiple * ws.schedule.multiple + ws.schedule.multiple;
    count = std::min(rest, count);
  } while (!ws.next.compare_exchange_weak(first, first + count));
  *range = {first, count, false};
  return true;
}

// Null where the region was cancelled and the slowest thread will never leave what occupies the slot.
template <class SetUp>
Workshare* enter(Member& me, SetUp&& set_up) {
  Team& team = *me.team;
  const std::uint64_t turn = me.loop.turn++;
  Workshare& ws = team.workshares[turn % Workshare::kRing];
  const auto is_ours = [&] { return ws.turn.serves(turn); };
  if (!is_ours()) {
    spin_until([&] { return is_ours() || team.is_cancelled.seen(); });
    if (!is_ours()) return nullptr;
  }
  ws.turn.enter([&] { set_up(ws); }, kSpinOn);
  return &ws;
}

}  // namespace

IterationRange static_share(std::uint64_t trip, int number, int team_size) {
  const auto n = static_cast<std::uint64_t>(number);
  const auto size = static_cast<std::uint64_t>(team_size);
  const std::uint64_t base = trip / size, rest = trip % size;
  const std::uint64_t first = n * base + std::min(n, rest);
  const std::uint64_t count = base + (n < rest ? 1 : 0);
  return {first, count, count != 0 && first + count == trip};
}

void loop_enter(Member& me, Schedule schedule, std::uint64_t trip, bool is_ordered) {
  // A thread that executes everything need not cut it into pieces, nor wait for its turn.
  if (me.team_size == 1 && !schedule.keeps_chunks) {
    schedule = {ScheduleKind::kStatic, 0};
    is_ordered = false;
  }
  me.loop.shared = enter(me, [&](Workshare& ws) {
    ws.schedule = schedule;
    ws.trip = trip;
    ws.next.store(0);
    ws.in_order.reset();
  });
  me.loop.static_round = 0;
  me.loop.is_ordered = is_ordered;
}

bool loop_next(Member& me, IterationRange* range) {
  Workshare* ws = me.loop.shared;
  if (ws == nullptr) return false;
  if (me.loop.owes_turn) pass_turn(me);
  if (is_workshare_cancelled(me)) [[unlikely]]
    return false;
  bool found = false;
  switch (ws->schedule.kind) {
    case ScheduleKind::kStatic:
    case ScheduleKind::kAuto:
      found = next_static(*ws, me, range);
      break;
    case ScheduleKind::kDynamic:
      found = next_dynamic(*ws, range);
      break;
    case ScheduleKind::kGuided:
    case ScheduleKind::kTrapezoidal:
      found = next_guided(*ws, me.team->size, range);
      break;
  }
  if (!found) return false;
  range->is_last = range->first + range->count == ws->trip;
  if (me.loop.is_ordered) {
    me.loop.chunk = *range;
    me.loop.owes_turn = true;
  }
  return true;
}

void loop_leave(Member& me) {
  Workshare* ws = me.loop.shared;
  if (ws == nullptr) return;
  if (me.loop.owes_turn) pass_turn(me);
  me.loop.shared = nullptr;
  workshare_leave(me, *ws);
}

Workshare& workshare_enter(Member& me, void* (*make)(void*), void* argument, void (*dispose)(void*)) {
  Workshare* entered = enter(me, [&](Workshare& ws) {
    ws.shared = make(argument);
    ws.dispose = dispose;
  });
  HEDDLE_ASSERT(entered != nullptr);  // constructs of this kind end with a barrier: nobody is kRing ahead
  return *entered;
}

void workshare_leave(Member& me, Workshare& ws) {
  ws.turn.leave(me.team_size, [&ws] {
    if (ws.dispose == nullptr) return;
    ws.dispose(ws.shared);
    ws.dispose = nullptr;
    ws.shared = nullptr;
  });
}

bool single_claim(Member& me) {
  std::uint64_t mine = me.singles_met++;
  RelaxedAtomic<std::uint64_t>& claimed = me.team->singles_claimed;
  return claimed.load() == mine && claimed.compare_exchange_strong(mine, mine + 1);
}

void wait_for_turn(Member& me) {
  const Awaited<std::uint64_t>& in_order = me.loop.shared->in_order;
  wait_at_gate(*me.team, me.loop.chunk.first, [&] { return in_order.seen() == me.loop.chunk.first; });
}

void pass_turn(Member& me) {
  wait_for_turn(me);
  me.loop.owes_turn = false;
  const std::uint64_t next = me.loop.chunk.first + me.loop.chunk.count;
  me.loop.shared->in_order.set(next);
  me.team->gate.announce(next);
}

}  // namespace heddle
