#include "mpi/suspended_wait.hpp"

#include <vector>

#include "mpi/alpi.hpp"
#include "mpi/progress.hpp"
#include "runtime/base/count_down.hpp"

namespace heddle::mpi {
namespace {

// On the stack of the task that waits: gone when it goes on.
struct Waiting {
  alpi_task* task;
  CountDown<> left{1};  // requests; and the task itself, until it has bound them all
};

void one_is_complete(std::uintptr_t of) {
  auto* const waiting = reinterpret_cast<Waiting*>(of);
  // The last one finds the task blocked, or on its way there.
  if (waiting->left.release_one()) alpi_task_unblock(waiting->task);
}

}  // namespace

int wait_suspended(std::span<MPI_Request> requests, MPI_Status statuses[]) {
  // Their errors are wanted, whether or not the caller wants statuses.
  std::vector<MPI_Status> found(requests.size());
  std::vector<MPI_Request> bound(requests.begin(), requests.end());
  Waiting waiting{this_task()};
  for (std::size_t n = 0; n < requests.size(); ++n) {
    int flag = 0;
    const int code = MPI_Test(&bound[n], &flag, &found[n]);
    found[n].MPI_ERROR = code;
    if (flag != 0 || code != MPI_SUCCESS) continue;
    waiting.left.add_one();
    bind(bound[n], &found[n], &bound[n], {one_is_complete, reinterpret_cast<std::uintptr_t>(&waiting)});
  }
  if (!waiting.left.release_one()) alpi_task_block(waiting.task);
  int code = MPI_SUCCESS;
  for (std::size_t n = 0; n < requests.size(); ++n) {
    requests[n] = bound[n];
    if (found[n].MPI_ERROR != MPI_SUCCESS)
      code = requests.size() == 1 ? found[n].MPI_ERROR : MPI_ERR_IN_STATUS;
    if (statuses != MPI_STATUSES_IGNORE) statuses[n] = found[n];
  }
  return code;
}

}  // namespace heddle::mpi
