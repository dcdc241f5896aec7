#include "bench/kernels/slow_network/slow_network.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace heddle::slow_network {
namespace {

constexpr std::chrono::microseconds kLooksAgain{20};  // at what MPI has
constexpr std::chrono::seconds kFar{3600};
constexpr unsigned kTags = 32768;  // the least that MPI promises

std::chrono::nanoseconds nanoseconds(double ns) {
  return std::chrono::nanoseconds(static_cast<std::int64_t>(ns));
}

}  // namespace

Network::Network() {
  const char* const text = std::getenv("SLOW_NETWORK");
  if (text == nullptr || *text == '\0') return;
  char* end = nullptr;
  const double latency_us = std::strtod(text, &end);
  bool is_right = end != text && latency_us >= 0 && latency_us <= 1e6;
  double mb_per_s = 0;
  if (is_right && *end == ',') {
    const char* const second = end + 1;
    mb_per_s = std::strtod(second, &end);
    is_right = end != second && mb_per_s > 0 && mb_per_s <= 1e9;
  }
  if (!is_right || *end != '\0') {
    std::fprintf(stderr,
                 "slow-network: SLOW_NETWORK=%s: give LATENCY[,BANDWIDTH] in microseconds and MB/s, as in "
                 "200,1000\n",
                 text);
    std::_Exit(2);
  }
  latency_ = nanoseconds(latency_us * 1e3);
  if (mb_per_s > 0) ns_per_byte_ = 1e3 / mb_per_s;
}

Clock::duration Network::link_time(int bytes) const {
  return nanoseconds(ns_per_byte_ * bytes);
}

Clock::duration Network::operation_time(MPI_Comm ranks, int bytes) const {
  int size = 1;
  PMPI_Comm_size(ranks, &size);
  return std::bit_width(static_cast<unsigned>(size - 1)) * (latency_ + link_time(bytes));
}

void Network::start() {
  if (!is_slow()) return;
  PMPI_Comm_dup(MPI_COMM_SELF, &self_);
  thread_ = std::thread([this] { run(); });
}

void Network::finish() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard guard(lock_);
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
  PMPI_Comm_free(&self_);
}

void Network::send(Errand errand, MPI_Request* request) {
  int bytes = 0;
  PMPI_Pack_size(errand.count, errand.type, errand.ranks, &bytes);
  if (errand.mode == Errand::Mode::standard && (errand.is_buffered || bytes <= kSentAhead)) {
    errand.copy.resize(static_cast<std::size_t>(bytes));
    int packed = 0;
    if (bytes > 0)  // Open MPI refuses to pack nothing
      PMPI_Pack(errand.data, errand.count, errand.type, errand.copy.data(), bytes, &packed, errand.ranks);
    errand.count = packed;
    errand.data = errand.copy.data();
    errand.type = MPI_PACKED;
  } else {
    PMPI_Type_dup(errand.type, &errand.type);
    give_request(errand);
  }
  *request = errand.outer;
  const bool is_sent_ahead = errand.outer == MPI_REQUEST_NULL;
  {
    const std::lock_guard guard(lock_);
    link_is_free_ = std::max(link_is_free_, Clock::now()) + link_time(bytes);
    errand.due = link_is_free_ + latency_;
    held_.push_back(std::move(errand));
  }
  changed_.notify_one();
  if (!is_sent_ahead) return;
  PMPI_Irecv(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, self_, request);  // complete, and yet a request
}

void Network::hold(MPI_Request inner, MPI_Comm ranks, int bytes, MPI_Request* request) {
  Errand errand;
  errand.mode = Errand::Mode::operation;
  errand.lasts = operation_time(ranks, bytes);
  errand.due = Clock::time_point::max();
  errand.inner = inner;
  give_request(errand);
  *request = errand.outer;
  {
    const std::lock_guard guard(lock_);
    underway_.push_back(std::move(errand));
  }
  changed_.notify_one();
}

void Network::give_request(Errand& errand) {
  errand.outer_tag = static_cast<int>(outers_.fetch_add(1, std::memory_order_relaxed) % kTags);
  PMPI_Irecv(nullptr, 0, MPI_BYTE, 0, errand.outer_tag, self_, &errand.outer);
}

void Network::give_to_mpi(Errand& message) {
  const auto give = message.mode == Errand::Mode::synchronous ? PMPI_Issend : PMPI_Isend;
  give(message.data, message.count, message.type, message.to, message.tag, message.ranks, &message.inner);
}

bool Network::is_over(Errand& errand, Clock::time_point now) {
  if (errand.inner != MPI_REQUEST_NULL) {
    int flag = 0;
    PMPI_Test(&errand.inner, &flag, MPI_STATUS_IGNORE);
    if (flag == 0) return false;
    if (errand.mode == Errand::Mode::operation) errand.due = now + errand.lasts;
  }
  if (errand.due > now) return false;
  if (errand.outer != MPI_REQUEST_NULL) PMPI_Send(nullptr, 0, MPI_BYTE, 0, errand.outer_tag, self_);
  if (errand.mode != Errand::Mode::operation && errand.copy.empty() && errand.type != MPI_PACKED)
    PMPI_Type_free(&errand.type);
  return true;
}

// Returns when there is something to do again.
Clock::time_point Network::work(Clock::time_point now) {
  for (; !held_.empty() && held_.front().due <= now; held_.pop_front()) {
    give_to_mpi(held_.front());
    underway_.push_back(std::move(held_.front()));
  }
  std::erase_if(underway_, [&](Errand& errand) { return is_over(errand, now); });
  Clock::time_point next = held_.empty() ? now + kFar : held_.front().due;
  for (const Errand& errand : underway_)
    next = std::min(next, errand.inner != MPI_REQUEST_NULL ? now + kLooksAgain : errand.due);
  return next;
}

void Network::run() {
  prctl(PR_SET_TIMERSLACK, 1UL);  // or it would wake up to 50 us late
  std::unique_lock guard(lock_);
  while (true) {
    const Clock::time_point next = work(Clock::now());
    if (ends_ && held_.empty() && underway_.empty()) return;
    changed_.wait_until(guard, next);
  }
}

Network& network() {
  static auto* const instance = new Network;  // never destroyed: MPI ends it
  return *instance;
}

}  // namespace heddle::slow_network
