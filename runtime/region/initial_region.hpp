// Code that starts over: an initial thread in a team of one, as a target region on the host is executed.
//
// Words: the *initial thread* of a region is the thread that meets it, seen from inside as if the program had
// just begun: level 0, thread 0 of 1, the control variables as the environment set them (OpenMP 5.2, sections
// 2.4 and 13.8). Invariant: what the region changes of the control variables is gone when it ends, and no
// task created in it outlives it.
#pragma once

namespace heddle {

/// Executes body(argument) as an initial thread. thread_limit 0: as the environment says.
/// Ensures: every task created in the region is complete on return.
/// Cost:    one serialised parallel region.
void run_as_initial_thread(void (*body)(void*), void* argument, int thread_limit);

}  // namespace heddle
