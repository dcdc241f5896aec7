// Who the ranks of a communicator are in MPI_COMM_WORLD, and a number for it that its processes agree on.
//
// The number is a hash, to 16 bits, of the members' ranks in MPI_COMM_WORLD and of how many communicators of
// just these members the process has numbered before: no message is needed for it. Processes number a
// communicator when they create it, which they do together and so in the same order; MPI_Comm_idup() and what
// creates communicators under other names number theirs at their first message. Numbers of two communicators
// may be equal, by chance, of 1 in 65,536: then tag and ranks alone tell their messages apart.
//
// Invariant: what is known of a communicator is its attribute, and goes with it; receives that are open keep
// it longer.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heddle::tracer {

/// Where a process is not of MPI_COMM_WORLD.
inline constexpr std::uint32_t kOutside = ~std::uint32_t{1};

struct Communicator {
  std::vector<std::uint32_t> world_ranks;  // of those that one sends to
  std::uint16_t number;

  /// None for MPI_PROC_NULL and for processes outside of MPI_COMM_WORLD.
  [[nodiscard]] std::optional<std::uint32_t> world_rank(int rank) const {
    if (rank < 0 || static_cast<std::size_t>(rank) >= world_ranks.size()) return std::nullopt;
    const std::uint32_t found = world_ranks[static_cast<std::size_t>(rank)];
    return found != kOutside ? std::optional(found) : std::nullopt;
  }
};

/// Once, after MPI's start.
void number_first_communicators();

/// Null for MPI_COMM_NULL. Threads: any. Cost: an attribute's look-up; the first time some of the group's
/// size.
std::shared_ptr<const Communicator> known_communicator(MPI_Comm comm);

}  // namespace heddle::tracer
