#include "mpi/pending_requests.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>
#include <utility>

#include "mpi/errors.hpp"

namespace heddle::mpi {

void PendingRequests::bind(MPI_Request request, MPI_Status* status, MPI_Request* left,
                           const Listener& listener) {
  auto note = take_note(request);
  const std::lock_guard guard(entries_lock_);
  inbox_.requests.push_back(request);
  inbox_.bound.push_back({status, left, listener, std::move(note)});
  outstanding_.add_one();
}

// Without a request in the inbox, all that are outstanding are in the table.
void PendingRequests::take_inbox() {
  if (static_cast<std::size_t>(outstanding_.count()) == table_.requests.size()) return;
  const std::lock_guard guard(entries_lock_);
  table_.requests.insert(table_.requests.end(), inbox_.requests.begin(), inbox_.requests.end());
  std::ranges::move(inbox_.bound, std::back_inserter(table_.bound));
  inbox_.requests.clear();
  inbox_.bound.clear();
}

// Who was told of has a null request.
void PendingRequests::drop_complete() {
  const std::lock_guard guard(entries_lock_);
  std::size_t kept = 0;
  for (std::size_t n = 0; n < table_.requests.size(); ++n) {
    if (table_.requests[n] == MPI_REQUEST_NULL) continue;
    table_.requests[kept] = table_.requests[n];
    if (kept != n) table_.bound[kept] = std::move(table_.bound[n]);
    ++kept;
  }
  table_.requests.resize(kept);
  table_.bound.resize(kept);
}

void PendingRequests::describe(void (*say)(void*, const void*, const char*), void* report) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kPatience{100};  // with a thread that was preempted
  std::unique_lock guard(entries_lock_, std::try_to_lock);
  for (const auto start = Clock::now(); !guard.owns_lock() && Clock::now() - start < kPatience;) {
    std::this_thread::yield();
    (void)guard.try_lock();
  }
  if (!guard.owns_lock()) {
    say(report, nullptr, "requests that cannot be told now: a stopped thread holds their list; ask again");
    return;
  }
  for (const Table* const table : {&inbox_, &table_}) {
    for (const Bound& bound : table->bound)
      if (bound.note != nullptr) say(report, bound.note->task, bound.note->in_words().c_str());
  }
}

// A request that fails is among those that are complete: who failed is said of it.
int PendingRequests::test_some(int* complete) {
  const ReturnedErrors are_in_statuses;
  return MPI_Testsome(static_cast<int>(table_.requests.size()), table_.requests.data(), complete,
                      indices_.data(), statuses_.data());
}

int PendingRequests::look() {
  if (outstanding_.count() == 0) return 0;
  std::unique_lock guard(look_lock_, std::try_to_lock);
  if (!guard.owns_lock()) return 0;
  take_inbox();
  const std::size_t count = table_.requests.size();
  indices_.resize(count);
  statuses_.resize(count);
  int complete = 0;
  const int code = test_some(&complete);
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
    const char* const what = words_of(bound.note, "a bound request failed");
    if (bound.status != MPI_STATUS_IGNORE) {
      *bound.status = status;
      raise(status.MPI_ERROR, what);
    } else {
      expect_success(status.MPI_ERROR, what);
    }
    listeners.push_back(bound.listener);
  }
  drop_complete();
  guard.unlock();
  outstanding_.remove(complete);
  for (const Listener& listener : listeners) listener.tell(listener.what);
  return complete;
}

}  // namespace heddle::mpi
