// What the files of GCC's ABI share: flags and small conversions. Source: the code GCC 12 generates.
#pragma once

#include "abi/export.hpp"
#include "loop/workshare.hpp"
#include "region/barrier.hpp"
#include "region/fork_join.hpp"
#include "team/team.hpp"

namespace heddle::gomp {

using Function = void (*)(void*);

/// Bits of the `flags` argument of GOMP_task and GOMP_taskloop.
enum TaskFlag : unsigned {
  kUntied = 1u << 0,
  kFinal = 1u << 1,
  kMergeable = 1u << 2,
  kDepend = 1u << 3,
  kPriority = 1u << 4,
  kUp = 1u << 8,
  kGrainsize = 1u << 9,
  kIf = 1u << 10,
  kNoGroup = 1u << 11,
  kReduction = 1u << 12,
  kDetach = 1u << 13,
  kStrict = 1u << 14,
};

/// Threads for a region: GCC passes 0 where there is no num_threads clause and 1 where if() is false.
inline int threads_for(unsigned num_threads) {
  const Member& me = this_member();
  return region_size(me, static_cast<int>(num_threads), num_threads != 1);
}

/// The proc_bind clause, in the lowest bits of the flags of a parallel construct.
inline void request_binding(unsigned flags) {
  if ((flags & 7) != 0) [[unlikely]]
    this_member().requests.binding = static_cast<ProcBind>(flags & 7);
}

/// What a tool is told of a region that a program of GCC opens.
inline RegionRequest with_request(RegionRequest request, unsigned num_threads) {
  request.requested = static_cast<int>(num_threads);
  request.flags = ompt_parallel_invoker_program | static_cast<int>(ompt_parallel_team);
  return request;
}

/// Tells reports where the code of a task stands (report/report_places.hpp).
void name_bodies();

/// Runs a compiled region body in a new team.
void run_region(Function fn, void* data, unsigned num_threads, unsigned flags, RegionRequest request = {});

}  // namespace heddle::gomp
