// ALPI: errors, version, features; attributes; processors.
#include <algorithm>
#include <cstring>
#include <new>

#include "abi/alpi/alpi.hpp"
#include "suspend/suspension.hpp"
#include "sys/machine.hpp"
#include "team/affinity.hpp"

using namespace heddle;
using namespace heddle::alpi;

#define HEDDLE_TEXT_OF(number) #number
#define HEDDLE_TEXT(macro) HEDDLE_TEXT_OF(macro)

HEDDLE_EXPORT const char* alpi_error_string(int error) {
  switch (error) {
    case kSuccess:
      return "success";
    case kVersion:
      return "this version of ALPI is not provided";
    case kNotInitialized:
      return "the runtime is not initialised";
    case kParameter:
      return "an argument is not valid here";
    case kOutOfMemory:
      return "no memory is left";
    case kOutsideTask:
      return "the caller is in no task";
    case kFeatureUnknown:
      return "an unknown feature is asked for";
    default:
      return "unknown error";
  }
}

// Who asks for the version is about to block tasks.
HEDDLE_EXPORT int alpi_version_check(int major, int minor) {
  if (major != kMajor || minor > kMinor) return kVersion;
  expect_suspension();
  return kSuccess;
}

HEDDLE_EXPORT int alpi_version_get(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return kParameter;
  *major = kMajor;
  *minor = kMinor;
  return kSuccess;
}

HEDDLE_EXPORT int alpi_feature_check(int features) {
  return (features & ~(kBlocking | kEvents | kResources | kSuspend)) == 0 ? kSuccess : kFeatureUnknown;
}

// *length: of the whole text, without the zero at its end. The text is cut to what the buffer holds.
HEDDLE_EXPORT int alpi_info_get(int query, char* buffer, std::size_t capacity, int* length) {
  const char* text;
  switch (query) {
    case kRuntimeName:
      text = "Heddle";
      break;
    case kRuntimeVendor:
      text = "the Heddle project";
      break;
    case kRuntimeVersion:
      text = HEDDLE_TEXT(HEDDLE_VERSION_NUMBER);
      break;
    default:
      return kParameter;
  }
  if (buffer == nullptr || capacity == 0) return kParameter;
  const std::size_t copied = std::min(std::strlen(text), capacity - 1);
  std::memcpy(buffer, text, copied);
  buffer[copied] = '\0';
  if (length != nullptr) *length = static_cast<int>(std::strlen(text));
  return kSuccess;
}

// -- ALPI: attributes of tasks to be spawned. Version 1.2 defines none, so an object holds nothing.

struct alpi_attr {
  std::uint64_t reserved = 0;
};

HEDDLE_EXPORT int alpi_attr_create(alpi_attr** attributes) {
  if (attributes == nullptr) return kParameter;
  *attributes = new (std::nothrow) alpi_attr;
  return *attributes != nullptr ? kSuccess : kOutOfMemory;
}

HEDDLE_EXPORT int alpi_attr_destroy(alpi_attr* attributes) {
  if (attributes == nullptr) return kParameter;
  delete attributes;
  return kSuccess;
}

/// In memory of the caller's, alpi_attr_size() bytes; not to be destroyed.
HEDDLE_EXPORT int alpi_attr_init(alpi_attr* attributes) {
  if (attributes == nullptr) return kParameter;
  new (attributes) alpi_attr;
  return kSuccess;
}

HEDDLE_EXPORT int alpi_attr_size(std::uint64_t* bytes) {
  if (bytes == nullptr) return kParameter;
  *bytes = sizeof(alpi_attr);
  return kSuccess;
}

// -- ALPI: logical processors. Each thread of the runtime is one: two that run never share a number.

HEDDLE_EXPORT int alpi_cpu_count(std::uint64_t* count) {
  if (count == nullptr) return kParameter;
  *count = static_cast<std::uint64_t>(processor_numbers());
  return kSuccess;
}

HEDDLE_EXPORT int alpi_cpu_logical_id(std::uint64_t* id) {
  if (id == nullptr) return kParameter;
  *id = static_cast<std::uint64_t>(processor_number());
  return kSuccess;
}

HEDDLE_EXPORT int alpi_cpu_system_id(std::uint64_t* id) {
  if (id == nullptr) return kParameter;
  *id = static_cast<std::uint64_t>(current_processor());
  return kSuccess;
}
