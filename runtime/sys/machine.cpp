#include "sys/machine.hpp"

#include <sched.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>

#include "sys/affinity.hpp"

namespace heddle {
namespace {

int tighter(int a, int b) {
  return a == 0 ? b : b == 0 || a < b ? a : b;
}

int processors(long long quota, long long period) {
  if (quota <= 0 || period <= 0) return 0;
  return static_cast<int>((quota + period - 1) / period);
}

// Version 2: "max 100000" or "150000 100000".
int limit_in_v2(const std::string& folder) {
  std::ifstream file(folder + "/cpu.max");
  long long quota = 0, period = 0;
  if (!(file >> quota >> period)) return 0;  // no file, or "max"
  return processors(quota, period);
}

int limit_in_v1(const std::string& folder) {
  std::ifstream quota_file(folder + "/cpu.cfs_quota_us"), period_file(folder + "/cpu.cfs_period_us");
  long long quota = 0, period = 0;
  if (!(quota_file >> quota) || !(period_file >> period)) return 0;
  return processors(quota, period);
}

// The group's own limit and those of all around it. Inside a container the path may be the host's, of which
// only the end, or nothing, is mounted: folders that are not there limit nothing.
template <class LimitIn>
int tightest(const std::string& mount, std::string path, LimitIn&& limit_in) {
  int result = limit_in(mount);
  while (path.size() > 1) {
    result = tighter(result, limit_in(mount + path));
    path.resize(path.find_last_of('/'));
  }
  return result;
}

}  // namespace

int processors_by_quota(const std::string& root) {
  std::ifstream groups(root + "/proc/self/cgroup");
  const std::string mounts = root + "/sys/fs/cgroup";
  int result = 0;
  // Lines are "number:controllers:path"; version 2 has one with number 0 and no controllers.
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1),
                      path = line.substr(second + 1);
    if (controllers.empty()) {
      result = tighter(result, tightest(mounts, path, limit_in_v2));
      continue;
    }
    std::istringstream names(controllers);
    for (std::string name; std::getline(names, name, ',');)
      if (name == "cpu") {
        result = tighter(result, tightest(mounts + '/' + controllers, path, limit_in_v1));
        result = tighter(result, tightest(mounts + "/cpu", path, limit_in_v1));
      }
  }
  return result;
}

int available_processors() {
  const auto allowed = static_cast<int>(processors_of_process().size());
  const int quota = processors_by_quota();
  return std::max(1, quota > 0 ? std::min(quota, allowed) : allowed);
}

int configured_processors() {
  return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_CONF)));
}

int current_processor() {
  return sched_getcpu();
}

std::int64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

double monotonic_seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double monotonic_resolution_seconds() {
  timespec step{};
  clock_getres(CLOCK_MONOTONIC, &step);
  return static_cast<double>(step.tv_sec) + 1e-9 * static_cast<double>(step.tv_nsec);
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

void sleep_ns(std::int64_t ns) {
  constexpr std::int64_t kNsInS = 1'000'000'000;
  timespec time{static_cast<time_t>(ns / kNsInS), static_cast<long>(ns % kNsInS)};
  while (nanosleep(&time, &time) != 0) {
  }
}

long process_id() {
  return getpid();
}

long native_thread_id() {
  return syscall(SYS_gettid);
}

const char* environment(const char* name) {
  return secure_getenv(name);
}

void set_environment(const char* name, const char* value) {
  setenv(name, value, 1);
}

std::vector<std::string> environment_names(std::string_view prefix) {
  std::vector<std::string> names;
  if (getauxval(AT_SECURE) != 0 || environ == nullptr) return names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with(prefix)) names.emplace_back(text.substr(0, text.find('=')));
  }
  return names;
}

}  // namespace heddle
