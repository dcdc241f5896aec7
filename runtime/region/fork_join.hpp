// Parallel regions: opening and closing them.
#pragma once

#include "team/team.hpp"
#include "trace/observer.hpp"

namespace heddle {

/// Threads the next region gets (OpenMP 5.2, section 10.1.1). requested 0: no num_threads clause.
int region_size(const Member& me, int requested, bool if_clause);

/// Executes the code by every thread of a new team, the caller among them, and joins. request: for a tool.
void parallel(int threads, const RegionCode& code, const RegionRequest& request = {});
inline void parallel(int threads, RegionBody body, void* argument, const RegionRequest& request = {}) {
  parallel(threads, {body, argument}, request);
}

/// Executes the code by the initial thread of each team of a league, one team after the other:
/// the standard gives teams no way to wait for each other (OpenMP 5.2, section 10.2). thread_limit 0: no
/// clause.
void league(int teams, int thread_limit, const RegionCode& code, const RegionRequest& request = {});

/// The two halves of parallel() for compilers that call the body themselves on the encountering thread.
void begin_parallel(int threads, const RegionCode& code, const RegionRequest& request = {});
void end_parallel();

/// The same for a region of one thread, without a body.
Member& open_serial_region(const RegionRequest& request = {});
void close_serial_region();

/// Gives team/ what this room does for it. at_first_use: called when the first thread becomes a worker.
void connect_region_to_team(void (*at_first_use)());

// Code that starts over: an initial thread in a team of one, as a target region on the host is executed.
//
// Words: the *initial thread* of a region is the thread that meets it, seen from inside as if the program had
// just begun: level 0, thread 0 of 1, the control variables as the environment set them (OpenMP 5.2, sections
// 2.4 and 13.8). Invariant: what the region changes of the control variables is gone when it ends, and no
// task created in it outlives it.

/// Executes body(argument) as an initial thread. thread_limit 0: as the environment says.
/// Ensures: every task created in the region is complete on return.
/// Cost:    one serialised parallel region.
void run_as_initial_thread(void (*body)(void*), void* argument, int thread_limit);

}  // namespace heddle
