// Numbers that running threads have for themselves, from 0 to a fixed limit: for libraries that keep
// something a processor, without locks.
//
// Invariant: no two threads of this process have the same number at a time.
#pragma once

namespace heddle {

/// The limit: as many as the machine has processors configured, or as OMP_NUM_THREADS asks for, if that is
/// more.
int processor_numbers();

/// The calling thread's, given when it first asks, until it ends.
/// Errors: ends the program with a line where all are taken.
int processor_number();

}  // namespace heddle
