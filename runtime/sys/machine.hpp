// What the operating system says of this process: processors, clock, environment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// The processor time that the process's control group may use: containers limit programs by a quota of time,
// which the affinity mask does not show.

/// Processors' worth of time that the tightest limit on the process's control group and those around it
/// allows, rounded up; 0 where there is none. `root`: of the file system to read, for tests. Source: the
/// kernel's cgroup-v2 (cpu.max) and cgroup-v1 (cpu.cfs_quota_us, cpu.cfs_period_us) documents.
int processors_by_quota(const std::string& root = "");

/// Processors this process may run on (its affinity mask), but no more than its control group's quota of time
/// is worth; at least 1.
int available_processors();

/// Processors that the machine is configured with, whichever process may use them.
int configured_processors();

/// The one that the calling thread is on; -1 where the system does not say.
int current_processor();

/// Seconds since a fixed moment in the past, monotonic. Source: omp_get_wtime, OpenMP 5.2 section 18.10.1.
double monotonic_seconds();

/// The same in nanoseconds.
std::int64_t monotonic_ns();

/// Sleeps so long, or a little longer.
void sleep_ns(std::int64_t ns);

/// Resolution of monotonic_seconds() in seconds.
double monotonic_resolution_seconds();

/// The host's name, the process's number, and the kernel's number of the calling thread.
std::string host_name();
long process_id();
long native_thread_id();

/// Whether the calling thread is the process's first.
inline bool is_main_thread() {
  return native_thread_id() == process_id();
}

/// Value of an environment variable, or nullptr; always nullptr in a set-user-ID program.
const char* environment(const char* name);

/// Sets an environment variable of this process.
/// Threads: none other may read or write the environment meanwhile.
void set_environment(const char* name, const char* value);

/// Names of the environment variables that begin with `prefix`; none in a set-user-ID program.
std::vector<std::string> environment_names(std::string_view prefix);

}  // namespace heddle
