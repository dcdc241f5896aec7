// Names of devices and interoperability: gfortran's entry points from GCC 15 on. Their arguments are passed
// by value; a function that returns a character pointer of deferred length gets two places to write it to.
#include <cstring>
#include <string>

#include "abi/host_device.hpp"
#include "abi/omp/fortran.hpp"

namespace {

using heddle::narrow;

void give_string(const char* text, const char** result, std::size_t* length) {
  *result = text;
  *length = text != nullptr ? std::strlen(text) : 0;
}

}  // namespace

HEDDLE_EXPORT void omp_get_uid_from_device_(const char** result, std::size_t* length, std::int32_t device) {
  give_string(omp_get_uid_from_device(device), result, length);
}
HEDDLE_EXPORT void omp_get_uid_from_device_8_(const char** result, std::size_t* length, std::int64_t device) {
  give_string(omp_get_uid_from_device(narrow(device)), result, length);
}
HEDDLE_EXPORT std::int32_t omp_get_device_from_uid_(const char* uid, std::size_t length) {
  return omp_get_device_from_uid(std::string(uid, length).c_str());
}

HEDDLE_EXPORT void omp_get_interop_str_(const char** result, std::size_t* length, const void* interop,
                                        std::int32_t property, std::int32_t* code) {
  give_string(omp_get_interop_str(interop, property, code), result, length);
}
HEDDLE_EXPORT void omp_get_interop_name_(const char** result, std::size_t* length, const void* interop,
                                         std::int32_t property) {
  give_string(omp_get_interop_name(interop, property), result, length);
}
HEDDLE_EXPORT void omp_get_interop_type_desc_(const char** result, std::size_t* length, const void* interop,
                                              std::int32_t property) {
  give_string(omp_get_interop_type_desc(interop, property), result, length);
}
HEDDLE_EXPORT void omp_get_interop_rc_desc_(const char** result, std::size_t* length, const void* interop,
                                            std::int32_t code) {
  give_string(omp_get_interop_rc_desc(interop, code), result, length);
}

// The same as LLVM's runtime has them from 23 on: as for C.
HEDDLE_EXPORT const char* omp_get_uid_from_device_of_clang_(int device) {
  return heddle::is_host(device) ? heddle::kUidOfClang : nullptr;
}
HEDDLE_EXPORT int omp_get_device_from_uid_of_clang_(const char* uid) {
  return heddle::names_host(uid) ? heddle::kHostDevice : heddle::kInvalidDevice;
}
HEDDLE_EXPORT const char* omp_get_interop_str_of_clang_(const void* interop, int property, int* code) {
  return omp_get_interop_str(interop, property, code);
}
HEDDLE_EXPORT const char* omp_get_interop_name_of_clang_(const void* interop, int property) {
  return omp_get_interop_name(interop, property);
}
HEDDLE_EXPORT const char* omp_get_interop_type_desc_of_clang_(const void* interop, int property) {
  return omp_get_interop_type_desc(interop, property);
}
HEDDLE_EXPORT const char* omp_get_interop_rc_desc_of_clang_(const void* interop, int code) {
  return omp_get_interop_rc_desc(interop, code);
}
HEDDLE_EXPORT int omp_get_num_interop_properties_(const void* interop) {
  return omp_get_num_interop_properties(interop);
}
HEDDLE_EXPORT std::intptr_t omp_get_interop_int_(const void* interop, int property, int* code) {
  return omp_get_interop_int(interop, property, code);
}
HEDDLE_EXPORT void* omp_get_interop_ptr_(const void* interop, int property, int* code) {
  return omp_get_interop_ptr(interop, property, code);
}

HEDDLE_OMP_VERSIONS_DIFFER(omp_get_uid_from_device_, omp_get_uid_from_device_of_clang_);
HEDDLE_OMP_VERSIONS(omp_get_uid_from_device_8_);
HEDDLE_OMP_VERSIONS_DIFFER(omp_get_device_from_uid_, omp_get_device_from_uid_of_clang_);
HEDDLE_OMP_VERSIONS_DIFFER(omp_get_interop_str_, omp_get_interop_str_of_clang_);
HEDDLE_OMP_VERSIONS_DIFFER(omp_get_interop_name_, omp_get_interop_name_of_clang_);
HEDDLE_OMP_VERSIONS_DIFFER(omp_get_interop_type_desc_, omp_get_interop_type_desc_of_clang_);
HEDDLE_OMP_VERSIONS_DIFFER(omp_get_interop_rc_desc_, omp_get_interop_rc_desc_of_clang_);
