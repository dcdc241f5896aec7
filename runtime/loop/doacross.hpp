// Doacross loop nests: ordered(n) with depend(source) and depend(sink: …) (OpenMP 5.2, section 15.9.7).
//
// Words: an iteration of the nest is a vector of the loops' variables. It is *posted* when its source has
// been met. Each iteration has one bit, in the order in which a sequential program would run them. Invariant:
// bits are only ever set; the memory is made by the first thread to enter and freed by the last to leave.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle {

struct Member;

/// The variable takes the values lower + i * step, 0 <= i < count.
struct DoacrossLoop {
  std::int64_t lower = 0;
  std::int64_t step = 1;
  std::uint64_t count = 0;
};

/// Enters a nest, outermost loop first; all threads of the team must.
/// Cost: one bit an iteration, zeroed by the system when first touched.
void doacross_enter(Member& me, std::span<const DoacrossLoop> loops);
void doacross_leave(Member& me);

/// How many loops the nest has that the calling thread is in.
std::size_t doacross_loops(const Member& me);

/// Shape: one value a loop.
void doacross_post(Member& me, const std::int64_t* iteration);
/// Whether there is such an iteration.
bool doacross_has(Member& me, const std::int64_t* iteration);
/// Waits until `iteration` is posted; not at all where there is no such iteration (OpenMP 5.2,
/// section 15.9.6).
void doacross_wait(Member& me, const std::int64_t* iteration);

}  // namespace heddle
