// OpenMP's tools interface, as tools see it (OpenMP 5.2, chapter 19).
#pragma once

#include "include/omp-tools.h"

namespace heddle::ompt {

/// How locks are implemented here: what ompt_enumerate_mutex_impls() names.
inline constexpr unsigned kMutexImplementation = 1;

/// Lets the runtime look for a tool before its first thread has a team.
void connect();

/// The entry point of that name, or null.
ompt_interface_fn_t look_up(const char* name);

/// Ends the tool (ompt_finalize_tool()): it is called no more.
void end_tool();

}  // namespace heddle::ompt
