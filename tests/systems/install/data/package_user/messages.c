// A task that completes when its message has come: from this process to itself, a thousand times.
#include <dlfcn.h>
#include <heddle_mpi.h>
#include <mpi.h>
#include <omp.h>
#include <stdio.h>

int received[1000], one = 1;

int main(int argc, char** argv) {
  int level = 0, sum = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int n = 0; n < 1000; ++n) {
    omp_event_handle_t event;
#pragma omp task depend(out : received[n]) detach(event)
    {
      MPI_Request requests[2];
      MPI_Irecv(&received[n], 1, MPI_INT, 0, n, MPI_COMM_SELF, &requests[0]);
      MPI_Isend(&one, 1, MPI_INT, 0, n, MPI_COMM_SELF, &requests[1]);
      heddle_mpi_detach_all(2, requests, event);
    }
#pragma omp task depend(in : received[n]) shared(sum)
#pragma omp atomic
    sum += received[n];
  }
  MPI_Finalize();
  printf("%s: %d\n", dlsym(RTLD_DEFAULT, "heddle_set_throttle") != NULL ? "libheddle" : "another", sum);
  return 0;
}
