// The orders that the code under test names, each of which can be tried weaker.
#pragma once

#include <atomic>

#include "support/execution.hpp"
#include "support/executions.hpp"

namespace heddle::test {

const char* name_of(std::memory_order order);
inline bool is_acquire(std::memory_order order) {
  return order == std::memory_order_acquire || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}
inline bool is_release(std::memory_order order) {
  return order == std::memory_order_release || order == std::memory_order_acq_rel ||
         order == std::memory_order_seq_cst;
}

/// The order that stands at the operation, or the weaker one that is tried there. Remembers those of
/// runtime/ and mpi/. is_of_failure: that of a change which writes nothing. is_in_thread: not while the
/// scenario is made, and not at its end.
std::memory_order tried_order(const Operation& operation, bool is_of_failure, bool is_in_thread);

/// Remembers which named orders of a complete execution are partners: a read that acquires with the write
/// that it reads from, where that releases; sequentially consistent accesses of one location, and fences,
/// with those of other threads.
void record_partners(const Graph& graph);

}  // namespace heddle::test
