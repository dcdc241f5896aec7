// ALPI: attributes of tasks to be spawned. Version 1.2 defines none, so an object holds nothing.
#include <new>

#include "abi/alpi/alpi.hpp"

using namespace heddle::alpi;

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
