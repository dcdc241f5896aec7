// TAMPI's names in Fortran, for mpif.h, mpi and mpi_f08: handles and statuses are those of C in other
// clothes. A library of its own: who links it says that its tasks will wait, as the inclusion of TAMPI.h does
// in C.

#include "TAMPI.h"

#include <cstddef>

#include "mpi/alpi.hpp"
#include "mpi/fortran_arguments.hpp"

using namespace heddle::mpi;
using namespace heddle::mpi::fortran;

#define HEDDLE_MPI_FORTRAN extern "C" __attribute__((visibility("default"))) void

// Where MPI's Fortran library is, and only there, are these: Open MPI's constants, and addresses of MPICH's.
#ifdef OPEN_MPI
extern "C" __attribute__((weak)) int mpi_fortran_bottom_, mpi_fortran_in_place_;
#else
extern "C" __attribute__((weak)) void *MPIR_F_MPI_BOTTOM, *MPIR_F_MPI_IN_PLACE;
extern "C" int MPIR_F08_MPI_BOTTOM, MPIR_F08_MPI_IN_PLACE;  // mpi_f08's
#endif

namespace {

// Before the program's first task: Fortran's MPI_Init_thread() need not be C's.
__attribute__((constructor)) void announce() {
  if (has_alpi()) this_task();
}

// The request of an operation that has been started, bound to the current task where it has.
void bind_started(int code, MPI_Request started, MPI_Status* status, MPI_Fint* request, MPI_Fint* error) {
  tell(error, code == MPI_SUCCESS ? TAMPI_Iwait(&started, status) : code);
  *request = MPI_Request_c2f(started);
}

}  // namespace

void* heddle::mpi::fortran::data(void* given) {
#ifdef OPEN_MPI
  if (&mpi_fortran_bottom_ != nullptr && given == &mpi_fortran_bottom_) return MPI_BOTTOM;
  if (&mpi_fortran_in_place_ != nullptr && given == &mpi_fortran_in_place_) return MPI_IN_PLACE;
#else
  if (given == &MPIR_F08_MPI_BOTTOM) return MPI_BOTTOM;
  if (given == &MPIR_F08_MPI_IN_PLACE) return MPI_IN_PLACE;
  if (&MPIR_F_MPI_BOTTOM != nullptr && given == MPIR_F_MPI_BOTTOM) return MPI_BOTTOM;
  if (&MPIR_F_MPI_IN_PLACE != nullptr && given == MPIR_F_MPI_IN_PLACE) return MPI_IN_PLACE;
#endif
  return given;
}

HEDDLE_MPI_FORTRAN tampi_init_(Number required, MPI_Fint* provided, MPI_Fint* error) {
  tell(error, TAMPI_Init(*required, provided));
}

HEDDLE_MPI_FORTRAN tampi_finalize_(MPI_Fint* error) {
  tell(error, TAMPI_Finalize());
}

HEDDLE_MPI_FORTRAN tampi_iwait_(MPI_Fint* request, MPI_Fint* result, MPI_Fint* error) {
  bind_started(MPI_SUCCESS, MPI_Request_f2c(*request), status(result), request, error);
}

HEDDLE_MPI_FORTRAN tampi_iwaitall_(Number count, MPI_Fint* requests, MPI_Fint* results, MPI_Fint* error) {
  tell(error, MPI_SUCCESS);
  const bool are_ignored = status(results) == MPI_STATUS_IGNORE;
  for (std::size_t n = 0; n < static_cast<std::size_t>(*count); ++n) {
    MPI_Fint code = MPI_SUCCESS;
    tampi_iwait_(requests + n, are_ignored ? results : results + n * kStatusWords, &code);
    if (*error == MPI_SUCCESS) *error = code;
  }
}

// The wrappers, as version 3 of the interface has them: it is the last one with Fortran.
#define LIST(...) __VA_ARGS__
#define WRAPPER(name, Name, iname, Iname, parameters, arguments)                             \
  HEDDLE_MPI_FORTRAN tampi_##iname##_(LIST parameters, MPI_Fint* request, MPI_Fint* error) { \
    MPI_Request started = MPI_REQUEST_NULL;                                                  \
    const int code = MPI_##Iname(LIST arguments, &started);                                  \
    bind_started(code, started, MPI_STATUS_IGNORE, request, error);                          \
  }
HEDDLE_FORTRAN_SENDS(WRAPPER)
HEDDLE_FORTRAN_BARRIER(WRAPPER)
HEDDLE_FORTRAN_COLLECTIVES(WRAPPER)
#undef WRAPPER
#undef LIST

HEDDLE_MPI_FORTRAN tampi_irecv_(void* into, Number count, Number kind, Number from, Number tag, Number ranks,
                                MPI_Fint* request, MPI_Fint* result, MPI_Fint* error) {
  MPI_Request started = MPI_REQUEST_NULL;
  const int code = MPI_Irecv(data(into), *count, type(kind), *from, *tag, comm(ranks), &started);
  bind_started(code, started, status(result), request, error);
}

// What tasks wait for when they end needs no wait.
HEDDLE_MPI_FORTRAN tampi_wait_(MPI_Fint* /*request*/, MPI_Fint* /*result*/, MPI_Fint* error) {
  tell(error, MPI_SUCCESS);
}
HEDDLE_MPI_FORTRAN tampi_waitall_(Number /*count*/, MPI_Fint* /*requests*/, MPI_Fint* /*results*/,
                                  MPI_Fint* error) {
  tell(error, MPI_SUCCESS);
}
