// Leagues and teams of several dimensions (OpenMP 6.1), from GCC 17 on: here both have one. Every further
// dimension has the extent 1. Provisional, as the snapshot of 2026-10-20 has them.
#include <climits>

#include "abi/host_device.hpp"
#include "abi/omp/export.hpp"
#include "abi/omp/routines.hpp"

using namespace heddle;

HEDDLE_EXPORT int omp_get_num_threads_dim(int dimension) {
  return dimension == 0 ? omp_get_num_threads() : 1;
}
HEDDLE_EXPORT int omp_get_thread_num_dim(int dimension) {
  return dimension == 0 ? omp_get_thread_num() : 0;
}
HEDDLE_EXPORT int omp_get_thread_limit_dim(int dimension) {
  return dimension == 0 ? omp_get_thread_limit() : 1;
}
HEDDLE_EXPORT int omp_get_num_teams_dim(int dimension) {
  return dimension == 0 ? omp_get_num_teams() : 1;
}
HEDDLE_EXPORT int omp_get_team_num_dim(int dimension) {
  return dimension == 0 ? omp_get_team_num() : 0;
}

namespace {

// The most that a device supports; -1 where there is no such device.
int most_of(int device, int dimension) {
  return !is_host(device) ? -1 : dimension == 0 ? INT_MAX : 1;
}

}  // namespace

HEDDLE_EXPORT int omp_get_supported_teams_dim(int device, int dimension) {
  return most_of(device, dimension);
}
HEDDLE_EXPORT int omp_get_supported_threads_dim(int device, int dimension) {
  return most_of(device, dimension);
}
HEDDLE_EXPORT int omp_get_supported_active_team_dims(int /*device*/, int /*level*/) {
  return 1;
}
HEDDLE_EXPORT int omp_get_supported_active_league_dims(int /*device*/, int /*level*/) {
  return 1;
}
HEDDLE_EXPORT int omp_get_supported_active_team_dims_(const std::int32_t*, const std::int32_t*) {
  return 1;
}
HEDDLE_EXPORT int omp_get_supported_active_league_dims_(const std::int32_t*, const std::int32_t*) {
  return 1;
}

// From the current device: 0 to itself, -1 to what is no device.
HEDDLE_EXPORT void omp_get_device_distances(int count, const int* devices, int* distances) {
  for (int i = 0; i < count; ++i) distances[i] = is_host(devices[i]) ? 0 : -1;
}

HEDDLE_OMP_VERSIONS(omp_get_num_threads_dim);
HEDDLE_OMP_VERSIONS(omp_get_thread_num_dim);
HEDDLE_OMP_VERSIONS(omp_get_thread_limit_dim);
HEDDLE_OMP_VERSIONS(omp_get_num_teams_dim);
HEDDLE_OMP_VERSIONS(omp_get_team_num_dim);
HEDDLE_OMP_VERSIONS(omp_get_supported_teams_dim);
HEDDLE_OMP_VERSIONS(omp_get_supported_threads_dim);
HEDDLE_OMP_VERSIONS(omp_get_supported_active_team_dims);
HEDDLE_OMP_VERSIONS(omp_get_supported_active_league_dims);
HEDDLE_OMP_VERSIONS(omp_get_supported_active_team_dims_);
HEDDLE_OMP_VERSIONS(omp_get_supported_active_league_dims_);
HEDDLE_OMP_VERSIONS(omp_get_device_distances);
