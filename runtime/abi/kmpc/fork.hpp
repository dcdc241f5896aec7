// A compiled region body of Clang and its arguments: it takes two thread numbers by address and then `argc`
// pointers.
#pragma once

#include <array>

#include "abi/kmpc/kmpc.hpp"

namespace heddle::kmpc {

using Microtask = void (*)(...);

inline constexpr std::int32_t kMostArguments = 256;
using ArgumentList = std::array<void*, kMostArguments>;

struct Call {
  Microtask body;
  std::int32_t argc;
  void** arguments;
};

/// Errors: ends the program where argc exceeds kMostArguments.
Call make_call(Microtask body, std::int32_t argc, void** arguments);

/// A RegionBody whose argument is a Call.
void run_body(Member& me, void* argument);

}  // namespace heddle::kmpc
