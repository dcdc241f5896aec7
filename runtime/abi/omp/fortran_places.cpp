// Places: gfortran's entry points. Wide lists are filled by way of a narrow one.
#include <vector>

#include "abi/omp/fortran.hpp"

HEDDLE_EXPORT int omp_get_num_places();
HEDDLE_EXPORT int omp_get_place_num_procs(int place);
HEDDLE_EXPORT void omp_get_place_proc_ids(int place, int* ids);
HEDDLE_EXPORT int omp_get_place_num();
HEDDLE_EXPORT int omp_get_partition_num_places();
HEDDLE_EXPORT void omp_get_partition_place_nums(int* places);

HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_num_places);
HEDDLE_FORTRAN_OF_INTEGER(std::int32_t, omp_get_place_num_procs);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_place_num);
HEDDLE_FORTRAN_QUERY(std::int32_t, omp_get_partition_num_places);

HEDDLE_EXPORT void omp_get_place_proc_ids_(const std::int32_t* place, std::int32_t* ids) {
  omp_get_place_proc_ids(*place, ids);
}
HEDDLE_EXPORT void omp_get_place_proc_ids_8_(const std::int64_t* place, std::int64_t* ids) {
  const int number = heddle::narrow(*place);
  const int count = omp_get_place_num_procs(number);
  std::vector<int> narrow_ids(static_cast<std::size_t>(count > 0 ? count : 0));
  omp_get_place_proc_ids(number, narrow_ids.data());
  std::copy(narrow_ids.begin(), narrow_ids.end(), ids);
}
HEDDLE_EXPORT void omp_get_partition_place_nums_(std::int32_t* places) {
  omp_get_partition_place_nums(places);
}
HEDDLE_EXPORT void omp_get_partition_place_nums_8_(std::int64_t* places) {
  const int count = omp_get_partition_num_places();
  std::vector<int> narrow_places(static_cast<std::size_t>(count > 0 ? count : 0));
  omp_get_partition_place_nums(narrow_places.data());
  std::copy(narrow_places.begin(), narrow_places.end(), places);
}

HEDDLE_OMP_VERSIONS(omp_get_place_proc_ids_);
HEDDLE_OMP_VERSIONS(omp_get_place_proc_ids_8_);
HEDDLE_OMP_VERSIONS(omp_get_partition_place_nums_);
HEDDLE_OMP_VERSIONS(omp_get_partition_place_nums_8_);
