// The machine that is simulated: its processors, which of them share a cache and a socket, and what an access
// to memory and a system call cost there.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>

namespace heddle::machine {

/// Picoseconds of simulated time.
using Time = std::int64_t;
constexpr Time kNanosecond = 1000;
/// As a number of JSON, whatever the program's locale.
void print_ns(std::FILE* file, Time time);

constexpr int kMostProcessors = 256;

/// How far away a cache line is from the processor that wants it.
enum class Distance {
  kOwn,     // its own cache has it
  kNear,    // another processor with the same last-level cache
  kFar,     // another last-level cache of the socket
  kRemote,  // another socket
  kMemory,  // no cache has it
};
constexpr int kDistances = 5;

struct Description {
  int processors = 16;
  int caches = 1;   // last-level caches, each of as many processors
  int sockets = 1;  // each of as many last-level caches

  /// Of a load, by distance. The own cache's figure stands for the instructions around the access as well.
  std::array<Time, kDistances> access;
  Time atomic;            // a locked instruction on a line that the own cache has, or a fence
  Time pause;             // the hint of a thread that spins
  Time call;              // a system call
  Time wake;              // from a wake-up to the first instruction of a thread whose processor was idle
  Time exchange;          // one thread in place of another on a processor
  Time slice;             // how long a thread keeps a processor that another one waits for
  bool computes_as_said;  // what the program computes takes as long as it says, else as long as it takes here

  Distance between(int one, int other) const;

  /// From "NAME=NUMBER …", times in nanoseconds; what is not named has its default.
  /// Errors: ends the program with status 2 and one line that says what is wrong.
  static Description parse(const char* text);
  /// An object of JSON with all that parse() reads.
  void print(std::FILE* file) const;
  /// As hwloc wants it in HWLOC_SYNTHETIC.
  void print_topology(char* text, std::size_t bytes) const;
};

}  // namespace heddle::machine
