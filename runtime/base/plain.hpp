// Data that are not atomic, in structures that take their atomic type as a policy.
#pragma once

namespace heddle {

/// What such a structure hands from thread to thread, ordered by its atomics: just a T. Tests that explore
/// executions have a type that finds races in its place.
template <template <class> class Atomic>
struct Plain {
  template <class T>
  using Data = T;
};

}  // namespace heddle
