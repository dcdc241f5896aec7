// MPI's start and end: what is said of the process, and between them everything is recorded.
#include "tracer/event_file.hpp"
#include "tracer/mpi/calls.hpp"
#include "tracer/mpi/clock_offset.hpp"
#include "tracer/mpi/communicators.hpp"

using namespace heddle::tracer;

namespace {

// Never destroyed: MPI may end after main().
ClockOffsets& clock_offsets() {
  static auto* const offsets = new ClockOffsets;
  return *offsets;
}

// MPI's start, which `start` does: returns its code.
int started(FunctionName& name, const auto& start) {
  const std::uint64_t number = name.number();
  record(Kind::mpi_begin, 0, 0, number, 0);
  const int code = start();
  if (code == MPI_SUCCESS) {
    int rank = 0;
    int ranks = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    note_rank(rank, ranks);
    find_layer();
    number_first_communicators();
    clock_offsets().connect();
    note_clock_offset(0, clock_offsets().measure());
    // release: pairs with the acquire of each call
    g_is_recording.store(true, std::memory_order_release);
  }
  record(Kind::mpi_end, 0, 0, number, 0);
  return code;
}

}  // namespace

HEDDLE_TRACE_MPI MPI_Init(int* argc, char*** argv) {
  static constinit Wrapped<decltype(PMPI_Init)> function("MPI_Init", PMPI_Init);
  return started(function, [&] { return function.next()(argc, argv); });
}

HEDDLE_TRACE_MPI MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  static constinit Wrapped<decltype(PMPI_Init_thread)> function("MPI_Init_thread", PMPI_Init_thread);
  return started(function, [&] { return function.next()(argc, argv, required, provided); });
}

HEDDLE_TRACE_MPI MPI_Finalize() {
  static constinit Wrapped<decltype(PMPI_Finalize)> function("MPI_Finalize", PMPI_Finalize);
  // Not recorded from now on: what MPI's end calls in other libraries.
  if (!g_is_recording.exchange(false)) return function.next()();
  record(Kind::mpi_begin, 0, 0, function.number(), 0);
  note_clock_offset(1, clock_offsets().measure());
  clock_offsets().disconnect();
  const int code = function.next()();
  record(Kind::mpi_end, 0, 0, function.number(), 0);
  note_end();
  return code;
}
