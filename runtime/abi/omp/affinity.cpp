// Places: OpenMP 5.2, sections 18.3.1 to 18.3.7.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "abi/omp/export.hpp"
#include "abi/omp/fortran.hpp"
#include "abi/omp/routines.hpp"
#include "team/affinity.hpp"
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

// -- Displaying where threads run: OpenMP 5.2, sections 18.3.8 to 18.3.11, for C and Fortran. Clang's omp.h
// calls the C routines by names of their own.

namespace {

// C: as much as fits, and a zero at the end. Returns the length of the whole text.
std::size_t give_c(const std::string& text, char* buffer, std::size_t size) {
  if (size > 0 && buffer != nullptr) {
    const std::size_t length = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), length);
    buffer[length] = 0;
  }
  return text.size();
}

// Fortran: as much as fits, blanks behind.
int give_fortran(const std::string& text, char* buffer, std::size_t size) {
  const std::size_t length = std::min(text.size(), size);
  std::memcpy(buffer, text.data(), length);
  std::memset(buffer + length, ' ', size - length);
  return static_cast<int>(text.size());
}

std::string_view take_c(const char* text) {
  return text != nullptr ? std::string_view(text) : std::string_view();
}

std::string_view take_fortran(const char* text, std::size_t size) {
  while (size > 0 && text[size - 1] == ' ') --size;
  return {text, size};
}

}  // namespace

HEDDLE_EXPORT void omp_set_affinity_format(const char* format) {
  set_affinity_format(take_c(format));
}
HEDDLE_EXPORT std::size_t omp_get_affinity_format(char* buffer, std::size_t size) {
  return give_c(affinity_format(), buffer, size);
}
HEDDLE_EXPORT void omp_display_affinity(const char* format) {
  display_affinity(this_member(), take_c(format));
}
HEDDLE_EXPORT std::size_t omp_capture_affinity(char* buffer, std::size_t size, const char* format) {
  return give_c(expand_affinity(take_c(format), this_member()), buffer, size);
}

HEDDLE_EXPORT void ompc_set_affinity_format(const char* format) {
  speak(Dialect::kLlvm);
  omp_set_affinity_format(format);
}
HEDDLE_EXPORT std::size_t ompc_get_affinity_format(char* buffer, std::size_t size) {
  speak(Dialect::kLlvm);
  return omp_get_affinity_format(buffer, size);
}
HEDDLE_EXPORT void ompc_display_affinity(const char* format) {
  speak(Dialect::kLlvm);
  omp_display_affinity(format);
}
HEDDLE_EXPORT std::size_t ompc_capture_affinity(char* buffer, std::size_t size, const char* format) {
  speak(Dialect::kLlvm);
  return omp_capture_affinity(buffer, size, format);
}

// The lengths of character arguments come last.
HEDDLE_EXPORT void omp_set_affinity_format_(const char* format, std::size_t length) {
  set_affinity_format(take_fortran(format, length));
}
HEDDLE_EXPORT int omp_get_affinity_format_(char* buffer, std::size_t length) {
  return give_fortran(affinity_format(), buffer, length);
}
HEDDLE_EXPORT void omp_display_affinity_(const char* format, std::size_t length) {
  display_affinity(this_member(), take_fortran(format, length));
}
HEDDLE_EXPORT int omp_capture_affinity_(char* buffer, const char* format, std::size_t buffer_length,
                                        std::size_t format_length) {
  return give_fortran(expand_affinity(take_fortran(format, format_length), this_member()), buffer,
                      buffer_length);
}

HEDDLE_OMP_VERSIONS(omp_set_affinity_format);
HEDDLE_OMP_VERSIONS(omp_get_affinity_format);
HEDDLE_OMP_VERSIONS(omp_display_affinity);
HEDDLE_OMP_VERSIONS(omp_capture_affinity);
HEDDLE_OMP_VERSIONS(omp_set_affinity_format_);
HEDDLE_OMP_VERSIONS(omp_get_affinity_format_);
HEDDLE_OMP_VERSIONS(omp_display_affinity_);
HEDDLE_OMP_VERSIONS(omp_capture_affinity_);

// -- Places: gfortran's entry points. Wide lists are filled by way of a narrow one.

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
