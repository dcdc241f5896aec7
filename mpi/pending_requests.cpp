#include "mpi/pending_requests.hpp"

#include <cstdio>
#include <utility>

namespace heddle::mpi {

void expect_success(int code, const char* doing) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::fprintf(stderr, "heddle_mpi: %s: %s\n", doing, text);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void PendingRequests::bind(MPI_Request request, MPI_Status* status, MPI_Request* left,
                           const Listener& listener) {
  const std::lock_guard guard(inbox_lock_);
  inbox_.requests.push_back(request);
  inbox_.bound.push_back({status, left, listener});
  // seq_cst: either who looks no more sees this one, or its caller sees that nobody looks (progress.cpp)
  outstanding_.fetch_add(1, std::memory_order_seq_cst);
}

void PendingRequests::take_inbox() {
  const std::lock_guard guard(inbox_lock_);
  table_.requests.insert(table_.requests.end(), inbox_.requests.begin(), inbox_.requests.end());
  table_.bound.insert(table_.bound.end(), inbox_.bound.begin(), inbox_.bound.end());
  inbox_.requests.clear();
  inbox_.bound.clear();
}

// Who was told of has a null request.
void PendingRequests::drop_complete() {
  std::size_t kept = 0;
  for (std::size_t n = 0; n < table_.requests.size(); ++n) {
    if (table_.requests[n] == MPI_REQUEST_NULL) continue;
    table_.requests[kept] = table_.requests[n];
    table_.bound[kept++] = table_.bound[n];
  }
  table_.requests.resize(kept);
  table_.bound.resize(kept);
}

int PendingRequests::look() {
  if (outstanding() == 0) return 0;
  std::unique_lock guard(look_lock_, std::try_to_lock);
  if (!guard.owns_lock()) return 0;
  take_inbox();
  const std::size_t count = table_.requests.size();
  indices_.resize(count);
  statuses_.resize(count);
  int complete = 0;
  const int code = MPI_Testsome(static_cast<int>(count), table_.requests.data(), &complete, indices_.data(),
                                statuses_.data());
  if (code != MPI_ERR_IN_STATUS) expect_success(code, "looking at outstanding requests");
  if (complete == MPI_UNDEFINED || complete == 0) return 0;
  std::vector<Listener> listeners;
  for (int n = 0; n < complete; ++n) {
    const auto index = static_cast<std::size_t>(indices_[static_cast<std::size_t>(n)]);
    const Bound& bound = table_.bound[index];
    MPI_Status& status = statuses_[static_cast<std::size_t>(n)];
    if (code != MPI_ERR_IN_STATUS) status.MPI_ERROR = MPI_SUCCESS;
    const MPI_Request left = std::exchange(table_.requests[index], MPI_REQUEST_NULL);
    if (bound.left != nullptr) *bound.left = left;
    if (bound.status != MPI_STATUS_IGNORE)
      *bound.status = status;
    else
      expect_success(status.MPI_ERROR, "a bound request failed");
    listeners.push_back(bound.listener);
  }
  drop_complete();
  guard.unlock();
  outstanding_.fetch_sub(complete, std::memory_order_relaxed);
  for (const Listener& listener : listeners) listener.tell(listener.what);
  return complete;
}

}  // namespace heddle::mpi
