// A compiled region body of Clang and its arguments: it takes two thread numbers by address and then `argc`
// pointers.
#pragma once

#include <array>
#include <cstdarg>

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

/// The addresses that the program passes behind its fixed arguments.
inline ArgumentList take_arguments(std::int32_t argc, va_list list) {
  ArgumentList arguments;
  for (std::int32_t i = 0; i < argc && i < kMostArguments; ++i)
    arguments[static_cast<std::size_t>(i)] = va_arg(list, void*);
  return arguments;
}

/// Errors: ends the program where argc exceeds kMostArguments.
Call make_call(Microtask body, std::int32_t argc, void** arguments);

/// A RegionBody whose argument is a Call.
void run_body(Member& me, void* argument);

}  // namespace heddle::kmpc
