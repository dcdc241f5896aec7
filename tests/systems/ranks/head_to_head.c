// Two ranks that send first and receive then: they end where messages are sent ahead, and only there.
#include <mpi.h>

int main(int count, char** arguments) {
  MPI_Init(&count, &arguments);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double mine = rank, other;
  MPI_Send(&mine, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD);
  MPI_Recv(&other, 1, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return other == 1 - rank ? 0 : 1;
}
