// A recorded region as a picture: the DOT language of Graphviz.
#pragma once

#include <string>

#include "graph/recording.hpp"

namespace heddle {

/// Nodes by their numbers in the order of creation, joins as points; an edge leads to who waits.
/// The layout is that of LLVM's runtime, which its tests compare byte for byte.
std::string dot_of(const Recording& recording, const std::string& label);

/// Writes it, whole or not at all. Errors: a warning where the file cannot be written.
void write_dot(const Recording& recording, const std::string& label, const std::string& file);

}  // namespace heddle
