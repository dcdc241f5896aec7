// TAMPI's names in Fortran, for mpif.h, mpi and mpi_f08: handles and statuses are those of C in other
// clothes. A library of its own: who links it says that its tasks will wait, as the inclusion of TAMPI.h does
// in C.

#include "TAMPI.h"

#include <cstddef>

#include "mpi/alpi.hpp"

using namespace heddle::mpi;

#define HEDDLE_MPI_FORTRAN extern "C" __attribute__((visibility("default"))) void

namespace {

// In MPICH and in Open MPI a Fortran status is a C one, word by word.
constexpr std::size_t kStatusWords = sizeof(MPI_Status) / sizeof(MPI_Fint);
static_assert(sizeof(MPI_Status) % sizeof(MPI_Fint) == 0);

// Before the program's first task: Fortran's MPI_Init_thread() need not be C's.
__attribute__((constructor)) void announce() {
  if (has_alpi()) this_task();
}

MPI_Status* c_status(MPI_Fint* status) {
  const void* const ignored = status;
  if (ignored == MPI_F_STATUS_IGNORE || ignored == MPI_F_STATUSES_IGNORE) return MPI_STATUS_IGNORE;
#ifdef MPICH_VERSION  // mpi_f08's are others
  if (ignored == MPI_F08_STATUS_IGNORE || ignored == MPI_F08_STATUSES_IGNORE) return MPI_STATUS_IGNORE;
#endif
  return reinterpret_cast<MPI_Status*>(status);
}

}  // namespace

HEDDLE_MPI_FORTRAN tampi_init_(const MPI_Fint* required, MPI_Fint* provided, MPI_Fint* error) {
  int given = 0;
  *error = TAMPI_Init(*required, &given);
  *provided = given;
}

HEDDLE_MPI_FORTRAN tampi_finalize_(MPI_Fint* error) {
  *error = TAMPI_Finalize();
}

HEDDLE_MPI_FORTRAN tampi_iwait_(MPI_Fint* request, MPI_Fint* status, MPI_Fint* error) {
  MPI_Request c_request = MPI_Request_f2c(*request);
  *error = TAMPI_Iwait(&c_request, c_status(status));
  *request = MPI_Request_c2f(c_request);
}

HEDDLE_MPI_FORTRAN tampi_iwaitall_(const MPI_Fint* count, MPI_Fint* requests, MPI_Fint* statuses,
                                   MPI_Fint* error) {
  *error = MPI_SUCCESS;
  const bool are_ignored = c_status(statuses) == MPI_STATUS_IGNORE;
  for (std::size_t n = 0; n < static_cast<std::size_t>(*count); ++n) {
    MPI_Fint code = MPI_SUCCESS;
    tampi_iwait_(requests + n, are_ignored ? statuses : statuses + n * kStatusWords, &code);
    if (*error == MPI_SUCCESS) *error = code;
  }
}
