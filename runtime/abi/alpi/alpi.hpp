// ALPI 1.2, the low-level tasking interface that the Task-Aware MPI library (TAMPI) asks of a runtime: its
// functions are looked up by name (dlsym) when MPI is initialised. docs/mpi/tampi.md says how to put it to
// work.
//
// Words: a task is named by the address of its ExternalState; the primary thread counts as one, and so does
// every thread that calls in here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/export.hpp"

namespace heddle::alpi {

constexpr int kMajor = 1;
constexpr int kMinor = 2;

enum Error : int {
  kSuccess = 0,
  kVersion = 1,
  kNotInitialized = 2,
  kParameter = 3,
  kOutOfMemory = 4,
  kOutsideTask = 5,
  kUnknown = 6,
  kFeatureUnknown = 7,
};

enum Info : int { kRuntimeName, kRuntimeVendor, kRuntimeVersion };

enum Feature : int { kBlocking = 1, kEvents = 2, kResources = 4, kSuspend = 8 };

enum SuspendMode : int { kNone, kSubmit, kTimeoutSubmit, kEventSubmit };

}  // namespace heddle::alpi

struct alpi_task;
struct alpi_attr;
