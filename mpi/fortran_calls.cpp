// MPI's calls in Fortran that are not C's in other clothes: here they are, so that they suspend in blocking
// mode, and their requests have names. Open MPI's call MPI's inside, all of them; MPICH's call C's, but for
// those of mpi_f08 that have no data.
//
// Of each there are mpif.h's and mpi's name, and mpi_f08's: their arguments are the same words.
#include <mpi.h>

#include <span>
#include <vector>

#include "mpi/fortran_arguments.hpp"

#define HEDDLE_MPI_FORTRAN extern "C" __attribute__((visibility("default"))) void
#define LIST(...) __VA_ARGS__
#ifdef OPEN_MPI
// Two names for one body.
#  define CALL(name, parameters, words)                    \
    HEDDLE_MPI_FORTRAN mpi_##name##_f08_(LIST parameters); \
    HEDDLE_MPI_FORTRAN mpi_##name##_(LIST parameters) {    \
      mpi_##name##_f08_(LIST words);                       \
    }                                                      \
    HEDDLE_MPI_FORTRAN mpi_##name##_f08_(LIST parameters)
#else
#  define CALL(name, parameters, words) HEDDLE_MPI_FORTRAN mpi_##name##_f08_(LIST parameters)
#endif

using namespace heddle::mpi::fortran;

namespace {

// Requests as C has them; what has become of them is written back.
class Requests {
 public:
  Requests(const MPI_Fint* count, MPI_Fint* given) : given_(given, static_cast<std::size_t>(*count)) {
    for (const MPI_Fint request : given_) all_.push_back(MPI_Request_f2c(request));
  }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;
  ~Requests() {
    for (std::size_t i = 0; i < all_.size(); ++i) given_[i] = MPI_Request_c2f(all_[i]);
  }
  [[nodiscard]] int count() const { return static_cast<int>(all_.size()); }
  [[nodiscard]] MPI_Request* all() { return all_.data(); }

 private:
  std::span<MPI_Fint> given_;
  std::vector<MPI_Request> all_;
};

// begin(&request): a call that starts an operation.
template <class Begin>
void start(MPI_Fint* request, MPI_Fint* error, const Begin& begin) {
  MPI_Request started = MPI_REQUEST_NULL;
  tell(error, begin(&started));
  *request = MPI_Request_c2f(started);
}

// Fortran counts from 1.
void count_from_one(MPI_Fint& index) {
  if (index != MPI_UNDEFINED) ++index;
}

}  // namespace

CALL(init_thread, (Number required, MPI_Fint* provided, MPI_Fint* error), (required, provided, error)) {
  tell(error, MPI_Init_thread(nullptr, nullptr, *required, provided));
}
CALL(query_thread, (MPI_Fint * provided, MPI_Fint* error), (provided, error)) {
  tell(error, MPI_Query_thread(provided));
}
CALL(finalize, (MPI_Fint * error), (error)) {
  tell(error, MPI_Finalize());
}

// Blocking ones, and those that start the operation.
#define BLOCKING(name, parameters, Call)                      \
  HEDDLE_MPI_FORTRAN name(LIST parameters, MPI_Fint* error) { \
    tell(error, Call);                                        \
  }
#define STARTING(name, parameters, begin)                                        \
  HEDDLE_MPI_FORTRAN name(LIST parameters, MPI_Fint* request, MPI_Fint* error) { \
    start(request, error, [&](MPI_Request* started) { return begin; });          \
  }
#define OPERATION_F08(name, Name, iname, Iname, parameters, arguments) \
  BLOCKING(mpi_##name##_f08_, parameters, MPI_##Name(LIST arguments))  \
  STARTING(mpi_##iname##_f08_, parameters, MPI_##Iname(LIST arguments, started))
HEDDLE_FORTRAN_BARRIER(OPERATION_F08)

CALL(wait, (MPI_Fint * request, MPI_Fint* result, MPI_Fint* error), (request, result, error)) {
  MPI_Request awaited = MPI_Request_f2c(*request);
  tell(error, MPI_Wait(&awaited, status(result)));
  *request = MPI_Request_c2f(awaited);
}
CALL(waitall, (Number count, MPI_Fint* requests, MPI_Fint* results, MPI_Fint* error),
     (count, requests, results, error)) {
  Requests awaited(count, requests);
  tell(error, MPI_Waitall(awaited.count(), awaited.all(), status(results)));
}
CALL(waitany, (Number count, MPI_Fint* requests, MPI_Fint* index, MPI_Fint* result, MPI_Fint* error),
     (count, requests, index, result, error)) {
  Requests awaited(count, requests);
  tell(error, MPI_Waitany(awaited.count(), awaited.all(), index, status(result)));
  count_from_one(*index);
}
CALL(waitsome,
     (Number count, MPI_Fint* requests, MPI_Fint* complete, MPI_Fint* indices, MPI_Fint* results,
      MPI_Fint* error),
     (count, requests, complete, indices, results, error)) {
  Requests awaited(count, requests);
  tell(error, MPI_Waitsome(awaited.count(), awaited.all(), complete, indices, status(results)));
  for (int i = 0; *complete != MPI_UNDEFINED && i < *complete; ++i) count_from_one(indices[i]);
}

CALL(probe, (Number from, Number tag, Number ranks, MPI_Fint* result, MPI_Fint* error),
     (from, tag, ranks, result, error)) {
  tell(error, MPI_Probe(*from, *tag, comm(ranks), status(result)));
}
CALL(mprobe, (Number from, Number tag, Number ranks, MPI_Fint* message, MPI_Fint* result, MPI_Fint* error),
     (from, tag, ranks, message, result, error)) {
  MPI_Message found = MPI_MESSAGE_NULL;
  tell(error, MPI_Mprobe(*from, *tag, comm(ranks), &found, status(result)));
  *message = MPI_Message_c2f(found);
}
#ifdef OPEN_MPI
#  define OPERATION_PLAIN(name, Name, iname, Iname, parameters, arguments) \
    BLOCKING(mpi_##name##_, parameters, MPI_##Name(LIST arguments))        \
    STARTING(mpi_##iname##_, parameters, MPI_##Iname(LIST arguments, started))
HEDDLE_FORTRAN_BARRIER(OPERATION_PLAIN)
HEDDLE_FORTRAN_SENDS(OPERATION_PLAIN)
HEDDLE_FORTRAN_SENDS(OPERATION_F08)
HEDDLE_FORTRAN_COLLECTIVES(OPERATION_PLAIN)
HEDDLE_FORTRAN_COLLECTIVES(OPERATION_F08)

CALL(irecv,
     (void* into, Number count, Number kind, Number from, Number tag, Number ranks, MPI_Fint* request,
      MPI_Fint* error),
     (into, count, kind, from, tag, ranks, request, error)) {
  start(request, error, [&](MPI_Request* started) {
    return MPI_Irecv(data(into), *count, type(kind), *from, *tag, comm(ranks), started);
  });
}
CALL(recv,
     (void* into, Number count, Number kind, Number from, Number tag, Number ranks, MPI_Fint* result,
      MPI_Fint* error),
     (into, count, kind, from, tag, ranks, result, error)) {
  tell(error, MPI_Recv(data(into), *count, type(kind), *from, *tag, comm(ranks), status(result)));
}
CALL(sendrecv,
     (void* out, Number count, Number kind, Number to, Number tag, void* into, Number in_count,
      Number in_kind, Number from, Number in_tag, Number ranks, MPI_Fint* result, MPI_Fint* error),
     (out, count, kind, to, tag, into, in_count, in_kind, from, in_tag, ranks, result, error)) {
  tell(error, MPI_Sendrecv(data(out), *count, type(kind), *to, *tag, data(into), *in_count, type(in_kind),
                           *from, *in_tag, comm(ranks), status(result)));
}

CALL(mrecv, (void* into, Number count, Number kind, MPI_Fint* message, MPI_Fint* result, MPI_Fint* error),
     (into, count, kind, message, result, error)) {
  MPI_Message found = MPI_Message_f2c(*message);
  tell(error, MPI_Mrecv(data(into), *count, type(kind), &found, status(result)));
  *message = MPI_Message_c2f(found);
}
#endif
