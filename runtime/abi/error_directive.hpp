// The error directive: OpenMP 5.2, section 8.5. A warning goes on; an error ends the program with status 1,
// atexit functions included, as the compilers' own runtimes do.
#pragma once

#include <cstdlib>
#include <string>

#include "sys/fatal.hpp"
#include "trace/observer.hpp"

namespace heddle {

/// said: the message with what the runtime of the program's compiler says around it.
[[noreturn]] inline void error_directive_ends(const std::string& said) {
  notice("%s", said.c_str());
  std::exit(1);
}

}  // namespace heddle
