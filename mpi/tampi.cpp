// TAMPI's functions: modes, and tasks that are complete with their requests.
#include "TAMPI.h"

#include <cstdio>
#include <utility>

#include "heddle_mpi.h"
#include "mpi/alpi.hpp"
#include "mpi/modes.hpp"
#include "mpi/progress.hpp"

using namespace heddle::mpi;

namespace heddle::mpi {
namespace {

void one_is_complete(std::uintptr_t task) {
  alpi_task_events_decrease(reinterpret_cast<alpi_task*>(task), 1);
}

void expect_events() {
  if (has_alpi()) return;
  std::fprintf(stderr,
               "heddle_mpi: TAMPI_Iwait() needs a runtime whose tasks have events (ALPI): run on libheddle, "
               "./heddle run\n");
  MPI_Abort(MPI_COMM_WORLD, 2);
}

// Counts one event of the task; ends the program where the runtime does not.
void expect_one_more(alpi_task* task) {
  if (alpi_task_events_increase(task, 1) == 0) return;
  std::fprintf(
      stderr,
      "heddle_mpi: TAMPI_Iwait() in a task that has a detach clause, whose only event is the clause's\n");
  MPI_Abort(MPI_COMM_WORLD, 2);
}

}  // namespace

int provide(int required, int provided_by_mpi) {
  if (required < MPI_TASK_MULTIPLE || provided_by_mpi != MPI_THREAD_MULTIPLE || !has_alpi())
    return provided_by_mpi;
  announce_waits();
  modes.blocking.store(true);
  return MPI_TASK_MULTIPLE;
}

void announce_waits() {
  if (has_alpi()) this_task();
}

}  // namespace heddle::mpi

void heddle_mpi_expect_tampi() {
  modes.expected.store(true);
}

int TAMPI_Property_get(int property, int* value) {
  switch (property) {
    case TAMPI_PROPERTY_BLOCKING_MODE:
      return TAMPI_Blocking_enabled(value);
    case TAMPI_PROPERTY_NONBLOCKING_MODE:
      return TAMPI_Nonblocking_enabled(value);
    case TAMPI_PROPERTY_AUTO_INIT:
      *value = modes.starts_with_mpi.load() ? 1 : 0;
      return MPI_SUCCESS;
    case TAMPI_PROPERTY_THREAD_TASKAWARE:
      *value = thread_is_task_aware ? 1 : 0;
      return MPI_SUCCESS;
    default:
      return MPI_ERR_ARG;
  }
}

int TAMPI_Property_set(int property, int value) {
  switch (property) {
    case TAMPI_PROPERTY_AUTO_INIT:
      modes.starts_with_mpi.store(value != 0);
      return MPI_SUCCESS;
    case TAMPI_PROPERTY_THREAD_TASKAWARE:
      thread_is_task_aware = value != 0;
      return MPI_SUCCESS;
    default:
      return MPI_ERR_ARG;
  }
}

int TAMPI_Blocking_enabled(int* flag) {
  *flag = modes.blocking.load() ? 1 : 0;
  return MPI_SUCCESS;
}

int TAMPI_Nonblocking_enabled(int* flag) {
  *flag = has_alpi() ? 1 : 0;
  return MPI_SUCCESS;
}

int TAMPI_Init(int required, int* provided) {
  int by_mpi = MPI_THREAD_SINGLE;
  const int code = PMPI_Query_thread(&by_mpi);
  *provided = provide(required, by_mpi);
  return code;
}

int TAMPI_Finalize() {
  modes.blocking.store(false);
  return MPI_SUCCESS;
}

int heddle_mpi_bind(MPI_Request* request) {
  return TAMPI_Iwait(request, MPI_STATUS_IGNORE);
}

int TAMPI_Iwait(MPI_Request* request, MPI_Status* status) {
  int flag = 0;
  const int code = MPI_Test(request, &flag, status);
  if (flag != 0 || code != MPI_SUCCESS) return code;
  expect_events();
  alpi_task* const task = this_task();
  expect_one_more(task);
  bind(std::exchange(*request, MPI_REQUEST_NULL), status, nullptr,
       {one_is_complete, reinterpret_cast<std::uintptr_t>(task)});
  return MPI_SUCCESS;
}

int TAMPI_Iwaitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  int first_error = MPI_SUCCESS;
  for (int n = 0; n < count; ++n) {
    const int code =
        TAMPI_Iwait(&requests[n], statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[n]);
    if (first_error == MPI_SUCCESS) first_error = code;
  }
  return first_error;
}
