// A task receives a message that nobody sends; a poller tests the request.
#include <heddle.h>
#include <mpi.h>

static MPI_Request request;
static omp_event_handle_t arrived;

static void poll_request(void* unused) {
  (void)unused;
  int is_complete = 0;
  MPI_Test(&request, &is_complete, MPI_STATUS_IGNORE);
  if (is_complete && request == MPI_REQUEST_NULL && arrived != 0) {
    omp_event_handle_t event = arrived;
    arrived = 0;
    omp_fulfill_event(event);
  }
}

static void receive(int* value) {
  arrived = omp_task_continuation_event();
  MPI_Irecv(value, 1, MPI_INT, 0, 42, MPI_COMM_WORLD, &request);
  heddle_register_poller(poll_request, 0, 100);
  omp_taskwait_detach(arrived);
}

int main(int argc, char** argv) {
  int provided;
  int value = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task shared(value)
  receive(&value);  // culprit
  MPI_Finalize();
  return value;
}
