#include "tracer/mpi/clock_offset.hpp"

#include <cstdint>
#include <limits>

#include "tracer/clock.hpp"

namespace heddle::tracer {
namespace {

constexpr int kRoundTrips = 16;
constexpr int kTag = 0;

// Rank 0's part.
void answer(MPI_Comm ranks, int rank) {
  PMPI_Send(nullptr, 0, MPI_BYTE, rank, kTag, ranks);  // its turn
  for (int i = 0; i < kRoundTrips; ++i) {
    PMPI_Recv(nullptr, 0, MPI_BYTE, rank, kTag, ranks, MPI_STATUS_IGNORE);
    const std::uint64_t now = monotonic_ns();
    PMPI_Send(&now, 1, MPI_UINT64_T, rank, kTag, ranks);
  }
}

ClockOffset ask(MPI_Comm ranks) {
  PMPI_Recv(nullptr, 0, MPI_BYTE, 0, kTag, ranks, MPI_STATUS_IGNORE);
  ClockOffset best{};
  std::uint64_t shortest = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < kRoundTrips; ++i) {
    std::uint64_t theirs = 0;
    const std::uint64_t begin = monotonic_ns();
    PMPI_Send(nullptr, 0, MPI_BYTE, 0, kTag, ranks);
    PMPI_Recv(&theirs, 1, MPI_UINT64_T, 0, kTag, ranks, MPI_STATUS_IGNORE);
    const std::uint64_t took = monotonic_ns() - begin;
    if (took >= shortest) continue;
    shortest = took;
    const std::uint64_t middle = begin + took / 2;
    best = {middle, static_cast<std::int64_t>(theirs - middle)};
  }
  return best;
}

}  // namespace

void ClockOffsets::connect() {
  PMPI_Comm_dup(MPI_COMM_WORLD, &ranks_);
  int rank = 0;
  int size = 0;
  PMPI_Comm_rank(ranks_, &rank);
  PMPI_Comm_size(ranks_, &size);
  MPI_Comm machine = MPI_COMM_NULL;
  PMPI_Comm_split_type(ranks_, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &machine);
  int lowest = rank;
  PMPI_Bcast(&lowest, 1, MPI_INT, 0, machine);
  PMPI_Comm_free(&machine);
  is_elsewhere_ = lowest != 0 ? 1 : 0;
  if (rank == 0) are_elsewhere_.resize(static_cast<std::size_t>(size));
  PMPI_Gather(&is_elsewhere_, 1, MPI_INT, are_elsewhere_.data(), 1, MPI_INT, 0, ranks_);
}

ClockOffset ClockOffsets::measure() const {
  if (is_elsewhere_ != 0) return ask(ranks_);
  for (std::size_t rank = 0; rank < are_elsewhere_.size(); ++rank) {
    if (are_elsewhere_[rank] != 0) answer(ranks_, static_cast<int>(rank));
  }
  return {monotonic_ns(), 0};
}

void ClockOffsets::disconnect() {
  PMPI_Comm_free(&ranks_);
}

}  // namespace heddle::tracer
