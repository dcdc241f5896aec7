// What the objects that are loaded into this process are linked with.
#pragma once

#include <span>

namespace heddle {

/// Whether the program, or a library that is loaded with it, refers to one of these functions without
/// defining it. Cost: looks at all undefined symbols: some 10 microseconds for a program of C++.
bool any_object_needs(std::span<const char* const> functions);

}  // namespace heddle
