// What MPI says that failed ends the program, with a line that names it. Where communicators have a handler
// of the program's own, that decides.
#pragma once

#include <mpi.h>

namespace heddle::mpi {

/// Ends the program where MPI says that something failed. doing: what, for the message.
void expect_success(int code, const char* doing);

/// The same where MPI_COMM_WORLD has the handler of name_errors(); else has its handler called.
void raise(int code, const char* doing);

/// Puts a handler in place of MPI_ERRORS_ARE_FATAL, which does the same. Where one of many requests failed,
/// MPI would not say which. Requires: MPI was initialised just now, so that all communicators inherit it.
void name_errors();

/// As long as it lives errors of this thread's calls are returned, where name_errors() has seen to it.
class ReturnedErrors {
 public:
  ReturnedErrors();
  ~ReturnedErrors();
  ReturnedErrors(const ReturnedErrors&) = delete;
  ReturnedErrors& operator=(const ReturnedErrors&) = delete;
};

}  // namespace heddle::mpi
