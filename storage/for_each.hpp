// How a program lends its threads.
#pragma once

#include <functional>

namespace heddle::storage {

/// Calls body(0..n-1), which does not throw, in any order or at the same time; returns when all are done.
using ForEach = std::function<void(int n, const std::function<void(int)>& body)>;

}  // namespace heddle::storage
