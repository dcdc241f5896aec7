// MPI requests that are outstanding, and who is told when each is complete.
//
// Words: a request is *bound* to a *listener*, which is told once. Bound requests wait in the *inbox* until
// the next look, which takes them into an array, as MPI_Testsome() wants them.
//
// Invariant: a request is in one place, and its listener is told when it has left it, outside of all locks.
// Requests stay in the order in which they were bound.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "mpi/outstanding.hpp"
#include "mpi/request_notes.hpp"

namespace heddle::mpi {

/// Is told of a request's end by tell(what).
struct Listener {
  void (*tell)(std::uintptr_t what) = nullptr;
  std::uintptr_t what = 0;
};

class PendingRequests {
 public:
  /// status: where MPI's word of it goes, its error as well, or MPI_STATUS_IGNORE. left: where what MPI makes
  /// of the request goes, the null request or an inactive persistent one; or null. Threads: any.
  void bind(MPI_Request request, MPI_Status* status, MPI_Request* left, const Listener& listener);

  /// Looks once at all. Returns how many were complete; none where another thread is looking. Threads: any.
  int look();

  /// Calls say(report, task, what) for each request that is bound and not told of, where HEDDLE_WATCHDOG has
  /// it noted. gdb may have stopped a thread that holds the list: then it says so, of no task. Threads: any.
  void describe(void (*say)(void* report, const void* task, const char* what), void* report);

  /// Those that are bound and not told of, and whether somebody looks.
  Outstanding<>& outstanding() { return outstanding_; }

 private:
  struct Bound {
    MPI_Status* status;
    MPI_Request* left;
    Listener listener;
    std::unique_ptr<RequestNote> note;  // while the process is watched
  };
  struct Table {
    std::vector<MPI_Request> requests;
    std::vector<Bound> bound;  // beside the requests
  };
  void take_inbox();
  void drop_complete();
  int test_some(int* complete);

  // Held where an entry comes or goes, and not during a call of MPI: while nothing happens nobody holds it,
  // and a report of a program that hangs is whole, wherever gdb has stopped its threads.
  std::mutex entries_lock_;
  Table inbox_;
  Outstanding<> outstanding_;

  std::mutex look_lock_;  // for all that follows; entries are changed under both locks
  Table table_;
  std::vector<int> indices_;
  std::vector<MPI_Status> statuses_;
};

}  // namespace heddle::mpi
