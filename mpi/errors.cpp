#include "mpi/errors.hpp"

#include <array>
#include <cstdio>

namespace heddle::mpi {
namespace {

MPI_Errhandler ours = MPI_ERRHANDLER_NULL;  // written while one thread is there
thread_local bool errors_are_returned = false;

// Not inlined: the caller may be on another thread than before, and asks anew which it is.
[[gnu::noinline]] void set_errors_are_returned(bool value) {
  errors_are_returned = value;
}

void end_program(MPI_Comm* /*where*/, int* code, ...) {
  if (!errors_are_returned) expect_success(*code, "MPI failed");
}

}  // namespace

void expect_success(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING + 1> text{};
  int length = 0, rank = 0;
  PMPI_Error_string(code, text.data(), &length);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::fprintf(stderr, "heddle_mpi: rank %d: %s: %s\n", rank, doing, text.data());
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void raise(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  MPI_Errhandler now = MPI_ERRHANDLER_NULL;
  PMPI_Comm_get_errhandler(MPI_COMM_WORLD, &now);
  const bool is_ours = now == ours;
  PMPI_Errhandler_free(&now);
  if (is_ours) expect_success(code, doing);
  PMPI_Comm_call_errhandler(MPI_COMM_WORLD, code);
}

void name_errors() {
  if (PMPI_Comm_create_errhandler(end_program, &ours) != MPI_SUCCESS) return;
  for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
    MPI_Errhandler now = MPI_ERRHANDLER_NULL;
    PMPI_Comm_get_errhandler(comm, &now);
    if (now == MPI_ERRORS_ARE_FATAL) PMPI_Comm_set_errhandler(comm, ours);
    PMPI_Errhandler_free(&now);
  }
}

ReturnedErrors::ReturnedErrors() {
  set_errors_are_returned(true);
}
ReturnedErrors::~ReturnedErrors() {
  set_errors_are_returned(false);
}

}  // namespace heddle::mpi
