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
struct Worker;

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

/// Gives a thread of the program its place outside regions: the process's main thread the first of the list,
/// where it goes; another the first that has a processor on which it may run. That one goes there with its
/// first region, unless its owner has bound it: then it stays where it is.
void place_initial_thread(Member& member);

/// The calling thread, ours or the program's, is new with this worker. One of ours may run where the process
/// may, and not only where the thread that has started it may: that may be a helper which its owner has
/// bound.
void begin_unbound(Worker& worker, bool is_ours);

/// In the child of a fork(), by its only thread (its worker, or null): nothing is bound any more, and the
/// thread may run where the process might. Many children of one bound parent would otherwise share its
/// processor.
void end_binding(Worker* worker);

/// Gives every member of the team its place and partition. clause: proc_bind of the construct, kFalse where
/// there is none. Requires: team.size and team.encountering are set; the caller is the primary thread.
void place_team(Team& team, ProcBind clause);

/// Moves the calling thread to the member's place, where it is not there already.
void go_to_place(Member& member);

}  // namespace heddle
