#include "sys/machine.hpp"

#include <sched.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include "sys/affinity.hpp"
#include "sys/control_group.hpp"

namespace heddle {

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
