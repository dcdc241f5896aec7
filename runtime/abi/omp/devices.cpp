// Devices and interoperability: OpenMP 5.2, sections 18.7 and 18.12, on a machine whose only device is the
// host.

#include <array>
#include <cstdint>
#include <cstring>
#include <string>

#include "abi/host_device.hpp"
#include "abi/omp/export.hpp"
#include "abi/omp/fortran.hpp"
#include "abi/omp/routines.hpp"
#include "team/team.hpp"
#include "team/workers.hpp"
#include "trace/tool.hpp"

using namespace heddle;

HEDDLE_EXPORT int omp_is_initial_device() {
  return 1;
}
HEDDLE_EXPORT int omp_get_num_devices() {
  return kOffloadDevices;
}
HEDDLE_EXPORT int omp_get_initial_device() {
  return kHostDevice;
}
HEDDLE_EXPORT int omp_get_device_num() {
  return kHostDevice;
}
HEDDLE_EXPORT void omp_set_default_device(int device) {
  if (device == kDefaultDevice) return;  // it is that already
  if (device < kInitialDevice && device != kInvalidDevice) {
    warn("omp_set_default_device(%d): there is no such device number; ignored", device);
    return;
  }
  change_environment(this_member(), [&](DataEnvironment& e) { e.default_device = device; });
}
HEDDLE_EXPORT int omp_get_default_device() {
  return environment_of(this_member()).default_device;
}

HEDDLE_EXPORT const char* omp_get_uid_from_device(int device) {
  return is_host(device) ? kUidOfGcc : nullptr;
}
HEDDLE_EXPORT const char* omp_get_uid_from_device_of_clang(int device) {
  return is_host(device) ? kUidOfClang : nullptr;
}
HEDDLE_EXPORT int omp_get_device_from_uid(const char* uid) {
  return names_host(uid) ? kInitialDevice : kInvalidDevice;
}
HEDDLE_EXPORT int omp_get_device_from_uid_of_clang(const char* uid) {
  return names_host(uid) ? kHostDevice : kInvalidDevice;
}

HEDDLE_OMP_VERSIONS_DIFFER(omp_get_uid_from_device, omp_get_uid_from_device_of_clang);
HEDDLE_OMP_VERSIONS_DIFFER(omp_get_device_from_uid, omp_get_device_from_uid_of_clang);
HEDDLE_OMP_VERSIONS(omp_is_initial_device);
HEDDLE_OMP_VERSIONS(omp_get_num_devices);
HEDDLE_OMP_VERSIONS(omp_get_initial_device);
HEDDLE_OMP_VERSIONS(omp_get_device_num);
HEDDLE_OMP_VERSIONS(omp_set_default_device);
HEDDLE_OMP_VERSIONS(omp_get_default_device);

// -- interoperability: every interop object is omp_interop_none, as no foreign runtime is here
// ----------------------------------------------

namespace {

enum ReturnCode : int { kNoValue = 1, kSuccess = 0, kEmpty = -1, kOutOfRange = -2 };

// Properties -1, -2 … by name (OpenMP 5.2, table 18.1).
constexpr std::array<const char*, 9> kProperties{"fr_id",       "fr_name",        "vendor",
                                                 "vendor_name", "device_num",     "platform",
                                                 "device",      "device_context", "targetsync"};

const char* property_of(int id) {
  const int index = -1 - id;
  return index >= 0 && index < static_cast<int>(kProperties.size())
             ? kProperties[static_cast<std::size_t>(index)]
             : nullptr;
}

void report(int property, int* code) {
  if (code != nullptr) *code = property_of(property) == nullptr ? kOutOfRange : kEmpty;
}

}  // namespace

HEDDLE_EXPORT int omp_get_num_interop_properties(const void* /*interop*/) {
  return 0;
}
HEDDLE_EXPORT std::intptr_t omp_get_interop_int(const void* /*interop*/, int property, int* code) {
  report(property, code);
  return 0;
}
HEDDLE_EXPORT void* omp_get_interop_ptr(const void* /*interop*/, int property, int* code) {
  report(property, code);
  return nullptr;
}
HEDDLE_EXPORT const char* omp_get_interop_str(const void* /*interop*/, int property, int* code) {
  report(property, code);
  return nullptr;
}
HEDDLE_EXPORT const char* omp_get_interop_name(const void* /*interop*/, int property) {
  return property_of(property);
}
// What type a property has is the foreign runtime's to say.
HEDDLE_EXPORT const char* omp_get_interop_type_desc(const void* /*interop*/, int /*property*/) {
  return nullptr;
}
HEDDLE_EXPORT const char* omp_get_interop_rc_desc(const void* /*interop*/, int code) {
  switch (code) {
    case kNoValue:
      return "the property has no value here";
    case kSuccess:
      return "the property has a value";
    case kEmpty:
      return "the interop object is omp_interop_none";
    case kOutOfRange:
      return "there is no property of that number";
    case -3:
      return "the property is an integer";
    case -4:
      return "the property is a pointer";
    case -5:
      return "the property is a string";
    default:
      return nullptr;
  }
}

HEDDLE_OMP_VERSIONS(omp_get_num_interop_properties);
HEDDLE_OMP_VERSIONS(omp_get_interop_int);
HEDDLE_OMP_VERSIONS(omp_get_interop_ptr);
HEDDLE_OMP_VERSIONS(omp_get_interop_str);
HEDDLE_OMP_VERSIONS(omp_get_interop_name);
HEDDLE_OMP_VERSIONS(omp_get_interop_type_desc);
HEDDLE_OMP_VERSIONS(omp_get_interop_rc_desc);

// -- Names of devices and interoperability: gfortran's entry points from GCC 15 on. Their arguments are
// passed by value; a function that returns a character pointer of deferred length gets two places to write it
// to.

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

// -- giving resources back: OpenMP 5.2, section 18.6. Both kinds of pause end the threads that no region
// needs; they are started anew when one does. Nothing else is held that a pause could free. OpenMP 6.0 has a
// third, which ends the tool as well, for all devices at once only.

namespace {

enum Pause : int { kResume = 0, kSoft = 1, kHard = 2, kStopTool = 3 };  // the first is LLVM's
constexpr int kFailed = -1;

int pause(int kind) {
  if (kind == kResume) return 0;
  if (kind != kSoft && kind != kHard) return kFailed;
  return release_threads() ? 0 : kFailed;
}

}  // namespace

HEDDLE_EXPORT int omp_pause_resource(int kind, int device) {
  return is_host(device) ? pause(kind) : kFailed;
}
HEDDLE_EXPORT int omp_pause_resource_all(int kind) {
  if (kind != kStopTool) return pause(kind);
  if (!release_threads()) return kFailed;
  if (has_tool()) g_end_tool();
  return 0;
}

HEDDLE_OMP_VERSIONS(omp_pause_resource);
HEDDLE_OMP_VERSIONS(omp_pause_resource_all);
