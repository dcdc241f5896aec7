// The end of operations that have a request: waits and tests, and what else is done to requests.
#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "tracer/mpi/calls.hpp"
#include "tracer/mpi/messages.hpp"
#include "tracer/mpi/requests.hpp"

using namespace heddle::tracer;

namespace {

std::size_t size_of(int count) {
  return count > 0 ? static_cast<std::size_t>(count) : 0;
}

// Statuses for all of a call's requests: the program's, or ours where it wants none and we do.
class Statuses {
 public:
  Statuses(int count, MPI_Status* wanted, bool are_needed) : statuses_(wanted) {
    if (!are_needed || wanted != MPI_STATUSES_IGNORE) return;
    own_ = std::make_unique_for_overwrite<MPI_Status[]>(size_of(count));
    statuses_ = own_.get();
  }
  MPI_Status* data() { return statuses_; }
  const MPI_Status& operator[](int i) const { return statuses_[i]; }

 private:
  MPI_Status* statuses_;
  std::unique_ptr<MPI_Status[]> own_;
};

// Whether the request of this status has completed without an error; `code` is the whole call's.
bool is_success(int code, const MPI_Status& status) {
  return code == MPI_SUCCESS || (code == MPI_ERR_IN_STATUS && status.MPI_ERROR == MPI_SUCCESS);
}

// Receives that a wait has taken out of the table: requests[i]'s, or none.
class TakenReceives {
 public:
  TakenReceives(bool sees_completions, int count, const MPI_Request requests[]) {
    if (!sees_completions || open_receives().is_empty()) return;
    taken_.resize(size_of(count));
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (requests[i] != MPI_REQUEST_NULL) taken_[i] = open_receives().take(requests[i]);
    }
  }
  [[nodiscard]] bool are_there() const { return !taken_.empty(); }

  void complete(int i, const MPI_Status& status) {
    auto& receive = taken_[static_cast<std::size_t>(i)];
    if (receive) tell_received(*receive, status);
    receive.reset();
  }
  /// Those that are not complete stay open.
  void put_back(const MPI_Request requests[]) {
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (taken_[i] && requests[i] != MPI_REQUEST_NULL)
        open_receives().put(requests[i], std::move(*taken_[i]));
    }
  }

 private:
  std::vector<std::optional<OpenReceive>> taken_;
};

// The receive of a request that a test has completed which began then; none where it was no receive.
std::optional<OpenReceive> take_tested(MPI_Request request, std::uint64_t began) {
  return open_receives().take_if(request, [&](const OpenReceive& receive) { return receive.since <= began; });
}

// The requests of a test as they were before it; none where no receive is open.
class TestedRequests {
 public:
  TestedRequests(bool sees_completions, int count, const MPI_Request requests[]) {
    const std::span all(requests, size_of(count));
    is_any_there_ = std::ranges::any_of(all, [](MPI_Request request) { return request != MPI_REQUEST_NULL; });
    if (!sees_completions || !is_any_there_ || open_receives().is_empty()) return;
    began_ = ticks();
    before_.assign(all.begin(), all.end());
  }
  [[nodiscard]] bool is_any_there() const { return is_any_there_; }
  [[nodiscard]] bool are_kept() const { return !before_.empty(); }

  void complete(int i, const MPI_Status& status) {
    if (const auto receive = take_tested(before_[static_cast<std::size_t>(i)], began_))
      tell_received(*receive, status);
  }

 private:
  std::vector<MPI_Request> before_;
  std::uint64_t began_ = 0;
  bool is_any_there_;
};

}  // namespace

HEDDLE_TRACE_MPI MPI_Wait(MPI_Request* request, MPI_Status* status) {
  HEDDLE_TRACE_CALL(Wait);
  TakenReceives receives(call.sees_completions(), 1, request);
  MPI_Status own;
  if (receives.are_there() && status == MPI_STATUS_IGNORE) status = &own;
  const int code = function.next()(request, status);
  if (receives.are_there() && code == MPI_SUCCESS) receives.complete(0, *status);
  return code;
}

HEDDLE_TRACE_MPI MPI_Waitall(int count, MPI_Request requests[], MPI_Status wanted[]) {
  HEDDLE_TRACE_CALL(Waitall);
  TakenReceives receives(call.sees_completions(), count, requests);
  Statuses statuses(count, wanted, receives.are_there());
  const int code = function.next()(count, requests, statuses.data());
  if (!receives.are_there()) return code;
  for (int i = 0; i < count; ++i) {
    if (is_success(code, statuses[i])) receives.complete(i, statuses[i]);
  }
  if (code != MPI_SUCCESS) receives.put_back(requests);
  return code;
}

HEDDLE_TRACE_MPI MPI_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  HEDDLE_TRACE_CALL(Waitany);
  TakenReceives receives(call.sees_completions(), count, requests);
  MPI_Status own;
  if (receives.are_there() && status == MPI_STATUS_IGNORE) status = &own;
  const int code = function.next()(count, requests, index, status);
  if (!receives.are_there()) return code;
  if (code == MPI_SUCCESS && *index != MPI_UNDEFINED) receives.complete(*index, *status);
  receives.put_back(requests);
  return code;
}

HEDDLE_TRACE_MPI MPI_Waitsome(int count, MPI_Request requests[], int* complete, int indices[],
                              MPI_Status wanted[]) {
  HEDDLE_TRACE_CALL(Waitsome);
  TakenReceives receives(call.sees_completions(), count, requests);
  Statuses statuses(count, wanted, receives.are_there());
  const int code = function.next()(count, requests, complete, indices, statuses.data());
  if (!receives.are_there()) return code;
  for (int i = 0; *complete != MPI_UNDEFINED && i < *complete; ++i) {
    if (is_success(code, statuses[i])) receives.complete(indices[i], statuses[i]);
  }
  receives.put_back(requests);
  return code;
}

HEDDLE_TRACE_MPI MPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  HEDDLE_TRACE_POLL(Test);
  const MPI_Request before = *request;
  const bool looks = call.sees_completions() && !open_receives().is_empty();
  const std::uint64_t began = looks ? ticks() : 0;
  MPI_Status own;
  if (looks && status == MPI_STATUS_IGNORE) status = &own;
  const int code = function.next()(request, flag, status);
  if (code != MPI_SUCCESS || *flag == 0 || before == MPI_REQUEST_NULL) return code;
  call.found_something();
  if (!looks) return code;
  if (const auto receive = take_tested(before, began)) tell_received(*receive, *status);
  return code;
}

HEDDLE_TRACE_MPI MPI_Testall(int count, MPI_Request requests[], int* flag, MPI_Status wanted[]) {
  HEDDLE_TRACE_POLL(Testall);
  TestedRequests tested(call.sees_completions(), count, requests);
  Statuses statuses(count, wanted, tested.are_kept());
  const int code = function.next()(count, requests, flag, statuses.data());
  if (!tested.is_any_there() || (code == MPI_SUCCESS ? *flag == 0 : code != MPI_ERR_IN_STATUS)) return code;
  call.found_something();
  for (int i = 0; tested.are_kept() && i < count; ++i) {
    if (is_success(code, statuses[i])) tested.complete(i, statuses[i]);
  }
  return code;
}

HEDDLE_TRACE_MPI MPI_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  HEDDLE_TRACE_POLL(Testany);
  TestedRequests tested(call.sees_completions(), count, requests);
  MPI_Status own;
  if (tested.are_kept() && status == MPI_STATUS_IGNORE) status = &own;
  const int code = function.next()(count, requests, index, flag, status);
  if (code != MPI_SUCCESS || *flag == 0 || *index == MPI_UNDEFINED) return code;
  call.found_something();
  if (tested.are_kept()) tested.complete(*index, *status);
  return code;
}

HEDDLE_TRACE_MPI MPI_Testsome(int count, MPI_Request requests[], int* complete, int indices[],
                              MPI_Status wanted[]) {
  HEDDLE_TRACE_POLL(Testsome);
  TestedRequests tested(call.sees_completions(), count, requests);
  Statuses statuses(count, wanted, tested.are_kept());
  const int code = function.next()(count, requests, complete, indices, statuses.data());
  if ((code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) || *complete == MPI_UNDEFINED || *complete == 0)
    return code;
  call.found_something();
  for (int i = 0; tested.are_kept() && i < *complete; ++i) {
    if (is_success(code, statuses[i])) tested.complete(indices[i], statuses[i]);
  }
  return code;
}

HEDDLE_TRACE_MPI MPI_Start(MPI_Request* request) {
  HEDDLE_TRACE_CALL(Start);
  if (call.is_recorded()) tell_started(1, request);
  return function.next()(request);
}

HEDDLE_TRACE_MPI MPI_Startall(int count, MPI_Request requests[]) {
  HEDDLE_TRACE_CALL(Startall);
  if (call.is_recorded()) tell_started(count, requests);
  return function.next()(count, requests);
}

// A receive that is freed while it is open ends without our notice.
HEDDLE_TRACE_MPI MPI_Request_free(MPI_Request* request) {
  HEDDLE_TRACE_CALL(Request_free);
  if (call.sees_completions()) {
    open_receives().take(*request);
    persistent_messages().take(*request);
  }
  return function.next()(request);
}

HEDDLE_TRACE_PLAIN(Cancel, (MPI_Request * request), (request))
