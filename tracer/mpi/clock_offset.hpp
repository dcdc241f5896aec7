// How far this process' clock is behind that of rank 0.
//
// Words: in a *round trip* a rank asks rank 0 what time it is; the answer is right for the middle of the
// trip, to half its length. The shortest of several is taken.
//
// Invariant: ranks on the machine of rank 0 have its clock: their offset is 0, and they exchange no message.
#pragma once

#include <mpi.h>

#include <vector>

#include "tracer/format.hpp"

namespace heddle::tracer {

class ClockOffsets {
 public:
  /// Collective over MPI_COMM_WORLD: who is on which machine.
  void connect();
  /// Collective. Cost: where ranks are elsewhere, 16 round trips of each, one rank after the other.
  [[nodiscard]] ClockOffset measure() const;
  /// Collective.
  void disconnect();

 private:
  MPI_Comm ranks_ = MPI_COMM_NULL;
  int is_elsewhere_ = 0;            // this rank is on another machine than rank 0
  std::vector<int> are_elsewhere_;  // each rank's; known to rank 0
};

}  // namespace heddle::tracer
