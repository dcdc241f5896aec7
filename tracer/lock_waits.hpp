// Which events of locks begin and end a wait.
#pragma once

#include "runtime/include/omp-tools.h"

namespace heddle::tracer {

/// A test of a lock does not wait, whether it gets the lock or not; of one that fails nothing more is told.
inline bool waits(ompt_mutex_t kind) {
  return kind != ompt_mutex_test_lock && kind != ompt_mutex_test_nest_lock;
}

/// Whether the calling thread's last event of an acquisition was the begin of a wait for a nested lock: where
/// it has the lock already the wait's end is told by ompt_callback_nest_lock, which a test's may be as well.
struct NestedLockWait {
  bool is_open = false;

  void acquires(ompt_mutex_t kind) { is_open = kind == ompt_mutex_nest_lock; }
  void has_acquired() { is_open = false; }
  /// ompt_callback_nest_lock with this endpoint: whether it ends a wait.
  bool ends_at(ompt_scope_endpoint_t endpoint) {
    const bool ends = is_open && endpoint == ompt_scope_begin;
    if (ends) is_open = false;
    return ends;
  }
};

}  // namespace heddle::tracer
