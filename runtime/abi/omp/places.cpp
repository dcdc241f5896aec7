// Places: OpenMP 5.2, sections 18.3.1 to 18.3.7.
#include <algorithm>

#include "abi/omp/export.hpp"
#include "abi/omp/routines.hpp"
#include "team/placement.hpp"
#include "team/team.hpp"

using namespace heddle;

namespace {

const ProcessorSet* place(int number) {
  const auto& list = place_list();
  if (number < 0 || static_cast<std::size_t>(number) >= list.size()) return nullptr;
  return &list[static_cast<std::size_t>(number)];
}

}  // namespace

HEDDLE_EXPORT int omp_get_proc_bind() {
  return static_cast<int>(bind_policy(this_member().team->level));
}
HEDDLE_EXPORT int omp_get_num_places() {
  return static_cast<int>(place_list().size());
}
HEDDLE_EXPORT int omp_get_place_num_procs(int number) {
  const ProcessorSet* set = place(number);
  return set != nullptr ? static_cast<int>(set->size()) : 0;
}
HEDDLE_EXPORT void omp_get_place_proc_ids(int number, int* ids) {
  if (const ProcessorSet* set = place(number)) std::ranges::copy(*set, ids);
}
HEDDLE_EXPORT int omp_get_place_num() {
  return this_member().place;
}
HEDDLE_EXPORT int omp_get_partition_num_places() {
  return this_member().partition.count;
}
HEDDLE_EXPORT void omp_get_partition_place_nums(int* numbers) {
  const Partition& partition = this_member().partition;
  for (int i = 0; i < partition.count; ++i) numbers[i] = partition.first + i;
}

HEDDLE_OMP_VERSIONS(omp_get_proc_bind);
HEDDLE_OMP_VERSIONS(omp_get_num_places);
HEDDLE_OMP_VERSIONS(omp_get_place_num_procs);
HEDDLE_OMP_VERSIONS(omp_get_place_proc_ids);
HEDDLE_OMP_VERSIONS(omp_get_place_num);
HEDDLE_OMP_VERSIONS(omp_get_partition_num_places);
HEDDLE_OMP_VERSIONS(omp_get_partition_place_nums);
