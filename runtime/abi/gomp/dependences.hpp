// The array in which GCC passes depend clauses.
//
// Two forms. Old: [0] number of items (not 0), [1] how many of them are out or inout, then addresses, out
// first. New (OpenMP 5.0): [0] is 0, [1] number of items, [2] out/inout, [3] mutexinoutset, [4] in, then
// addresses in that order; what is left over points at pairs {address, kind}, as depend objects hold them.
#pragma once

#include "deps/dependence_list.hpp"

namespace heddle::gomp {

/// Reads the array into an empty list; a null array leaves it empty.
void read_dependences(void** depend, DependenceList& list);

}  // namespace heddle::gomp
