// The device-wide control variables of teams, and the display of all: OpenMP 5.2, sections 18.4 and 18.15.
#include "abi/host_device.hpp"
#include "abi/omp/export.hpp"
#include "abi/omp/routines.hpp"
#include "icv/device_icvs.hpp"
#include "icv/settings.hpp"
#include "icv/settings/display.hpp"
#include "sys/fatal.hpp"

using namespace heddle;

HEDDLE_EXPORT void omp_set_num_teams(int teams) {
  if (teams < 1) {
    warn("omp_set_num_teams(%d): the number must be positive; ignored", teams);
    return;
  }
  device_icvs().num_teams.store(teams, std::memory_order_relaxed);
}
HEDDLE_EXPORT int omp_get_max_teams() {
  return device_icvs().num_teams.load(std::memory_order_relaxed);
}
HEDDLE_EXPORT void omp_set_teams_thread_limit(int threads) {
  if (threads < 1) {
    warn("omp_set_teams_thread_limit(%d): the number must be positive; ignored", threads);
    return;
  }
  device_icvs().teams_thread_limit.store(threads, std::memory_order_relaxed);
}
HEDDLE_EXPORT int omp_get_teams_thread_limit() {
  return device_icvs().teams_thread_limit.load(std::memory_order_relaxed);
}

// OpenMP 6.0: the same of a device. There is none but the host.
HEDDLE_EXPORT void omp_set_device_num_teams(int teams, int device) {
  if (is_host(device)) omp_set_num_teams(teams);
}
HEDDLE_EXPORT int omp_get_device_num_teams(int device) {
  return is_host(device) ? omp_get_max_teams() : 0;
}
HEDDLE_EXPORT void omp_set_device_teams_thread_limit(int threads, int device) {
  if (is_host(device)) omp_set_teams_thread_limit(threads);
}
HEDDLE_EXPORT int omp_get_device_teams_thread_limit(int device) {
  return is_host(device) ? omp_get_teams_thread_limit() : 0;
}

HEDDLE_EXPORT void omp_display_env(int is_verbose) {
  display_environment(settings(), is_verbose != 0, DisplayStyle::kGnu);
}
HEDDLE_EXPORT void omp_display_env_of_clang(int is_verbose) {
  display_environment(settings(), is_verbose != 0, DisplayStyle::kLlvm);
}

HEDDLE_OMP_VERSIONS(omp_set_num_teams);
HEDDLE_OMP_VERSIONS(omp_get_max_teams);
HEDDLE_OMP_VERSIONS(omp_set_teams_thread_limit);
HEDDLE_OMP_VERSIONS(omp_get_teams_thread_limit);
HEDDLE_OMP_VERSIONS_DIFFER(omp_display_env, omp_display_env_of_clang);
HEDDLE_OMP_VERSIONS(omp_set_device_num_teams);
HEDDLE_OMP_VERSIONS(omp_get_device_num_teams);
HEDDLE_OMP_VERSIONS(omp_set_device_teams_thread_limit);
HEDDLE_OMP_VERSIONS(omp_get_device_teams_thread_limit);
