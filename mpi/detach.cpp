// Requests whose completion is an OpenMP event.
#include <span>
#include <utility>

#include "heddle_mpi.h"
#include "mpi/errors.hpp"
#include "mpi/progress.hpp"
#include "runtime/base/count_down.hpp"

// The runtime's. An event has the size of a pointer, whatever a compiler's omp.h calls it.
extern "C" void omp_fulfill_event(HEDDLE_EVENT_T event);

namespace heddle::mpi {
namespace {

void fulfill(std::uintptr_t event) {
  omp_fulfill_event(static_cast<HEDDLE_EVENT_T>(event));
}

// Several requests of one event.
struct Last {
  CountDown<> left;
  std::uintptr_t event;
};

void one_is_complete(std::uintptr_t of) {
  auto* const last = reinterpret_cast<Last*>(of);
  if (!last->left.release_one()) return;
  fulfill(last->event);
  delete last;
}

// Tests a request, and frees it where it is complete.
bool is_complete(MPI_Request& request) {
  const MPI_Request before = request;
  int flag = 0;
  const ReturnedErrors are_named;
  if (const int code = MPI_Test(&request, &flag, MPI_STATUS_IGNORE); code != MPI_SUCCESS) {
    expect_success(code, words_of(take_note(before), "a request failed"));
  }
  return flag != 0;
}

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;

int heddle_mpi_detach(MPI_Request* request, HEDDLE_EVENT_T event) {
  return heddle_mpi_detach_all(1, request, event);
}

int heddle_mpi_detach_all(int count, MPI_Request requests[], HEDDLE_EVENT_T event) {
  const std::span all(requests, static_cast<std::size_t>(count));
  int left = 0;
  for (MPI_Request& request : all) left += is_complete(request) ? 0 : 1;
  const auto what = static_cast<std::uintptr_t>(event);
  if (left == 0) {
    fulfill(what);
    return MPI_SUCCESS;
  }
  const Listener listener =
      left == 1
          ? Listener{fulfill, what}
          : Listener{one_is_complete, reinterpret_cast<std::uintptr_t>(new Last{
                                          heddle::CountDown<>(static_cast<std::uint32_t>(left)), what})};
  for (MPI_Request& request : all) {
    if (request == MPI_REQUEST_NULL) continue;
    bind(std::exchange(request, MPI_REQUEST_NULL), MPI_STATUS_IGNORE, nullptr, listener);
  }
  return MPI_SUCCESS;
}

int heddle_mpi_outstanding() {
  return pending().outstanding().count();
}
