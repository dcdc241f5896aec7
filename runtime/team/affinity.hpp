// Saying where threads run: affinity-format-var (OpenMP 5.2, sections 18.3.8 to 18.3.11 and 21.2.5).
//
// Words: a *field* of a format is % and a letter, or % and a name in braces, with an optional width between;
// what it stands for is one of the standard's table 21.2.
#pragma once

#include <string>
#include <string_view>

namespace heddle {

// Numbers that running threads have for themselves, from 0 to a fixed limit: for libraries that keep
// something a processor, without locks.
//
// Invariant: no two threads of this process have the same number at a time.

/// The limit: as many as the machine has processors configured, or as OMP_NUM_THREADS asks for, if that is
/// more.
int processor_numbers();

/// The calling thread's, given when it first asks, until it ends.
/// Errors: ends the program with a line where all are taken.
int processor_number();

struct Member;

/// Whose conventions the program follows where they differ: the default format, and where lines go. It is
/// known once a compiled construct has called in.
enum class Dialect { kGnu, kLlvm };
void speak(Dialect dialect);

/// The format in force. Threads: any.
std::string affinity_format();
void set_affinity_format(std::string_view format);

/// A format's text for the calling thread. An empty format means the one in force.
std::string expand_affinity(std::string_view format, const Member& me);

/// Prints the calling thread's line.
void display_affinity(const Member& me, std::string_view format = {});

}  // namespace heddle
