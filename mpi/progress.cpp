#include "mpi/progress.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "heddle.h"
#include "mpi/errors.hpp"

namespace heddle::mpi {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kIntervalUs = 2;
constexpr std::chrono::milliseconds kLingers{1};          // without a request
constexpr std::chrono::microseconds kThreadInterval{20};  // between two looks of the library's own thread

class Progress {
 public:
  void expect_requests() {
    if (outstanding().is_polled()) return;
    const std::lock_guard guard(lock_);
    if (is_over_ || outstanding().is_polled()) return;
    make_known();
    if (heddle_register_poller != nullptr) {
      poller_ =
          heddle_register_poller([](void* self) { static_cast<Progress*>(self)->poll(); }, this, kIntervalUs);
    }
    outstanding().begin_polling();
    if (poller_ == nullptr) start_thread();
  }

 private:
  Outstanding<>& outstanding() { return pending_.outstanding(); }

  void poll() {
    if (pending_.look() > 0) {
      busy_at_ = Clock::now();
      return;
    }
    if (outstanding().count() != 0 || Clock::now() - busy_at_ < kLingers) return;
    const std::unique_lock guard(lock_, std::try_to_lock);
    if (guard.owns_lock() && !is_over_ && outstanding().end_polling()) heddle_unregister_poller(poller_);
  }

  void start_thread() {
    thread_ = std::thread([this] {
      std::unique_lock guard(lock_);
      while (!is_over_) {
        guard.unlock();
        pending_.look();
        guard.lock();
        over_.wait_for(guard, kThreadInterval, [this] { return is_over_; });
      }
    });
  }

  // Once: to be told of MPI's end, and to tell reports. MPI_Finalize() deletes the attributes of
  // MPI_COMM_SELF before anything else.
  void make_known() {
    if (key_ != MPI_KEYVAL_INVALID) return;
    const auto forget = [](MPI_Comm, int, void* self, void*) {
      static_cast<Progress*>(self)->finalize();
      return int{MPI_SUCCESS};
    };
    expect_success(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &key_, nullptr), "starting");
    expect_success(MPI_Comm_set_attr(MPI_COMM_SELF, key_, this), "starting");
    if (heddle_register_waits != nullptr && is_watched())
      heddle_register_waits(
          [](void* self, void (*say)(void*, const void*, const char*), void* report) {
            static_cast<Progress*>(self)->pending_.describe(say, report);
          },
          this);
  }
  void finalize() {
    {
      const std::lock_guard guard(lock_);
      is_over_ = true;
    }
    over_.notify_all();
    if (thread_.joinable()) thread_.join();
    if (poller_ != nullptr && outstanding().is_polled()) heddle_unregister_poller(poller_);
    const int left = outstanding().count();
    if (left == 0) return;
    std::fprintf(stderr,
                 "heddle_mpi: MPI_Finalize() with %d requests outstanding: their tasks never end; wait for "
                 "them before it\n",
                 left);
    pending_.describe(
        [](void*, const void*, const char* what) { std::fprintf(stderr, "  outstanding: %s\n", what); },
        nullptr);
  }

 public:
  PendingRequests pending_;

 private:
  std::mutex lock_;
  bool is_over_ = false;
  int key_ = MPI_KEYVAL_INVALID;
  heddle_poller_t poller_ = nullptr;
  Clock::time_point busy_at_;  // the poller's
  std::thread thread_;
  std::condition_variable over_;
};

// Never destroyed: tasks may end after the program's last line.
Progress& progress() {
  static auto* const instance = new Progress;
  return *instance;
}

}  // namespace

PendingRequests& pending() {
  return progress().pending_;
}

void bind(MPI_Request request, MPI_Status* status, MPI_Request* left, const Listener& listener) {
  pending().bind(request, status, left, listener);
  progress().expect_requests();
}

}  // namespace heddle::mpi
