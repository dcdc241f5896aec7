// The orders that the code under test names, each of which can be tried weaker.
#pragma once

#include <atomic>

#include "support/executions.hpp"

namespace heddle::test {

const char* name_of(std::memory_order order);

/// The order that stands at the operation, or the weaker one that is tried there. Remembers those of
/// runtime/. is_of_failure: that of a change which writes nothing.
std::memory_order tried_order(const Operation& operation, bool is_of_failure);

}  // namespace heddle::test
