// On which places the threads of a team run: place-partition-var, bind-var and proc_bind (OpenMP 5.2,
// section 10.1.3).
//
// Words: see team/partition.hpp. Invariant: with binding inactive every place is kNoPlace and no system
// call is made.
#pragma once

#include <vector>

#include "icv/place_list.hpp"
#include "team/partition.hpp"

namespace heddle {

struct Member;
struct Team;

/// Where one thread of a team goes, and where its own regions' threads will.
struct Spot {
  int place;
  Partition partition;
  bool operator==(const Spot&) const = default;
};

/// Shape: one spot a thread, in the order of their numbers. The partition is the encountering thread's,
/// primary_place where it runs. Requires: threads > 0, primary_place is in the partition, the policy is not
/// kFalse.
std::vector<Spot> distribute_threads(ProcBind policy, int threads, Partition partition, int primary_place);

/// Whether OMP_PROC_BIND and OMP_PLACES ask for threads to be bound.
bool binding_is_active();

/// The place list; empty with binding inactive.
const std::vector<ProcessorSet>& place_list();

/// bind-var of a region opened `level` regions deep.
ProcBind bind_policy(int level);

/// Gives the program's first thread its place: the first of the list.
void place_initial_thread(Member& member);

/// Gives every member of the team its place and partition. clause: proc_bind of the construct, kFalse where
/// there is none. Requires: team.size and team.encountering are set; the caller is the primary thread.
void place_team(Team& team, ProcBind clause);

/// Moves the calling thread to the member's place, where it is not there already.
void go_to_place(Member& member);

}  // namespace heddle
