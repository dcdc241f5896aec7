// What goes wrong on threads that no exception may leave.
#pragma once

#include <exception>
#include <mutex>

namespace heddle::program {

class FirstError {
 public:
  /// Calls run(), unless another has failed; keeps what it throws. Threads: any number at a time.
  template <class Run>
  void guard(Run&& run) noexcept {
    {
      const std::lock_guard lock(mutex_);
      if (error_) return;
    }
    try {
      run();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
    }
  }
  /// What was kept, if anything. Requires: nothing is guarded any more.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace heddle::program
