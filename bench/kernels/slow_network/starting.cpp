// MPI's start and end. The network's thread calls MPI beside the program's.
#include <cstdio>

#include "bench/kernels/slow_network/slow_network.hpp"

using heddle::slow_network::network;

namespace {

int start(int* argc, char*** argv, int asked, int* provided) {
  if (!network().is_slow()) return PMPI_Init_thread(argc, argv, asked, provided);
  const int code = PMPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, provided);
  if (code != MPI_SUCCESS) return code;
  if (*provided != MPI_THREAD_MULTIPLE) {
    std::fprintf(stderr, "slow-network: this MPI has no MPI_THREAD_MULTIPLE\n");
    PMPI_Abort(MPI_COMM_WORLD, 2);
  }
  network().start();
  return code;
}

}  // namespace

extern "C" int MPI_Init(int* argc, char*** argv) {
  int provided = MPI_THREAD_SINGLE;
  return start(argc, argv, MPI_THREAD_SINGLE, &provided);
}

extern "C" int MPI_Init_thread(int* argc, char*** argv, int asked, int* provided) {
  return start(argc, argv, asked, provided);
}

extern "C" int MPI_Finalize() {
  network().finish();
  return PMPI_Finalize();
}
