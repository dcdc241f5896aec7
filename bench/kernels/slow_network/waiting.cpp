// Waits are tests in turn: MPICH 4.0 goes on waiting when what it waits for is a message that another thread
// has sent to the own rank.
#include <sched.h>

#include "bench/kernels/slow_network/slow_network.hpp"

using heddle::slow_network::network;

namespace {

// Calls test(flag), MPI's, until it has set the flag or failed.
template <class Test>
int until(Test test) {
  while (true) {
    int flag = 0;
    const int code = test(&flag);
    if (flag != 0 || code != MPI_SUCCESS) return code;
    sched_yield();
  }
}

}  // namespace

extern "C" int MPI_Wait(MPI_Request* request, MPI_Status* status) {
  if (!network().is_slow()) return PMPI_Wait(request, status);
  return until([&](int* flag) { return PMPI_Test(request, flag, status); });
}

extern "C" int MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  if (!network().is_slow()) return PMPI_Waitany(count, requests, index, status);
  return until([&](int* flag) { return PMPI_Testany(count, requests, index, flag, status); });
}

extern "C" int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (!network().is_slow()) return PMPI_Waitall(count, requests, statuses);
  return until([&](int* flag) { return PMPI_Testall(count, requests, flag, statuses); });
}

extern "C" int MPI_Waitsome(int count, MPI_Request requests[], int* complete, int indices[],
                            MPI_Status statuses[]) {
  if (!network().is_slow()) return PMPI_Waitsome(count, requests, complete, indices, statuses);
  return until([&](int* flag) {
    const int code = PMPI_Testsome(count, requests, complete, indices, statuses);
    *flag = *complete != 0;  // MPI_UNDEFINED: there is none to wait for
    return code;
  });
}
