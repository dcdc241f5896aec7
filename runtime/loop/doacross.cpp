#include "loop/doacross.hpp"

#include <cstdlib>
#include <vector>

#include "loop/workshare.hpp"
#include "sync/event_count.hpp"
#include "sys/fatal.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"

namespace heddle {
namespace {

constexpr std::uint64_t kBits = 64;
static_assert(sizeof(Awaited<std::uint64_t>) == kBits / 8);  // all-zero memory has no bit set

struct Nest {
  std::vector<DoacrossLoop> loops;
  Awaited<std::uint64_t>* posted;
};

void* make(void* argument) {
  const auto& loops = *static_cast<std::span<const DoacrossLoop>*>(argument);
  std::uint64_t iterations = 1;
  for (const DoacrossLoop& loop : loops)
    if (__builtin_mul_overflow(iterations, loop.count, &iterations))
      fatal("a doacross loop nest has more than 2^64 iterations");
  // Zero bits from calloc are valid atomics, and pages that no iteration touches cost nothing.
  void* bits = std::calloc(iterations / kBits + 1, sizeof(Awaited<std::uint64_t>));
  if (bits == nullptr)
    fatal("no memory left for the %llu iterations of a doacross loop nest",
          static_cast<unsigned long long>(iterations));
  return new Nest{{loops.begin(), loops.end()}, static_cast<Awaited<std::uint64_t>*>(bits)};
}

void dispose(void* shared) {
  auto* nest = static_cast<Nest*>(shared);
  std::free(nest->posted);
  delete nest;
}

struct Place {
  Awaited<std::uint64_t>* word;  // null: no such iteration
  std::uint64_t bit;
  std::uint64_t position;
};

Place place_of(const Member& me, const std::int64_t* iteration) {
  const Nest& nest = *static_cast<Nest*>(me.loop.doacross->shared);
  std::uint64_t position = 0;
  for (const DoacrossLoop& loop : nest.loops) {
    const std::int64_t value = *iteration++;
    const bool up = loop.step > 0;
    if (up ? value < loop.lower : value > loop.lower) return {nullptr, 0, 0};
    const auto distance = up ? static_cast<std::uint64_t>(value) - static_cast<std::uint64_t>(loop.lower)
                             : static_cast<std::uint64_t>(loop.lower) - static_cast<std::uint64_t>(value);
    const auto stride = static_cast<std::uint64_t>(up ? loop.step : -loop.step);
    const std::uint64_t number = stride == 1 ? distance : distance / stride;
    if (number >= loop.count) return {nullptr, 0, 0};
    position = position * loop.count + number;
  }
  return {&nest.posted[position / kBits], std::uint64_t{1} << position % kBits, position};
}

}  // namespace

void doacross_enter(Member& me, std::span<const DoacrossLoop> loops) {
  me.loop.doacross = &workshare_enter(me, make, &loops, dispose);
}

void doacross_leave(Member& me) {
  if (me.loop.doacross == nullptr) return;
  Workshare& nest = *me.loop.doacross;
  me.loop.doacross = nullptr;
  workshare_leave(me, nest);
}

std::size_t doacross_loops(const Member& me) {
  return static_cast<Nest*>(me.loop.doacross->shared)->loops.size();
}

void doacross_post(Member& me, const std::int64_t* iteration) {
  const Place place = place_of(me, iteration);
  if (place.word == nullptr) return;
  place.word->add_bits(place.bit);
  me.team->gate.announce(place.position);
}

bool doacross_has(Member& me, const std::int64_t* iteration) {
  return place_of(me, iteration).word != nullptr;
}

void doacross_wait(Member& me, const std::int64_t* iteration) {
  const Place place = place_of(me, iteration);
  if (place.word == nullptr) return;
  wait_at_gate(*me.team, place.position, [&] { return (place.word->seen() & place.bit) != 0; });
}

}  // namespace heddle
