// The processor time that the process's control group may use: containers limit programs by a quota of time,
// which the affinity mask does not show.
#pragma once

#include <string>

namespace heddle {

/// Processors' worth of time that the tightest limit on the process's control group and those around it
/// allows, rounded up; 0 where there is none. `root`: of the file system to read, for tests. Source: the
/// kernel's cgroup-v2 (cpu.max) and cgroup-v1 (cpu.cfs_quota_us, cpu.cfs_period_us) documents.
int processors_by_quota(const std::string& root = "");

}  // namespace heddle
