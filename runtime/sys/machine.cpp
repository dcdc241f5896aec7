#include "sys/machine.hpp"

#include <sched.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>

namespace heddle {

int available_processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
  // More than 1024 processors: the fixed-size mask is too small.
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? static_cast<int>(online) : 1;
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
