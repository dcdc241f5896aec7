// ALPI: logical processors. Each thread of the runtime is one: two that run never share a number.
#include "abi/alpi/alpi.hpp"
#include "sys/machine.hpp"
#include "team/affinity.hpp"

using namespace heddle;
using namespace heddle::alpi;

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
