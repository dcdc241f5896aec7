// The calls that have led to the current place of a thread, and what the debug information says of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <unordered_map>

#include "base/published.hpp"

namespace heddle {

/// Where in which file a piece of the program's code stands, as tools that read debug information want to
/// know it.
struct CodePlace {
  std::string file;            // the program or library; empty where it is not known
  std::uintptr_t address = 0;  // as the file gives it: independent of where it was loaded
  std::string symbol;          // the exported symbol that begins there, if any
};

CodePlace place_of_code(const void* code);

/// Writes "FILE(+ADDRESS)", as addr2line and others understand it, or the bare address. For signal handlers:
/// it allocates nothing.
void write_code_place(const void* code, char* text, std::size_t bytes);

/// The numbers under which a log names pieces of code.
class CodeNumbers {
 public:
  /// Writes "c NUMBER ADDRESS SYMBOL FILE" where the code has no number yet; "-" for what is not known.
  int of(const void* code, std::FILE* log);

 private:
  std::unordered_map<const void*, int> numbers_;
};

/// Fills in return addresses, the innermost first. Returns how many. Cost: microseconds.
int capture_backtrace(std::span<void*> frames);

/// Where something began, as the calls that led there. Written by one thread, once; read by any.
struct Trace {
  static constexpr int kFrames = 14;
  /// Cost: microseconds.
  void take() { count = capture_backtrace(frames); }
  bool is_empty() const { return count.seen() == 0; }

  std::array<void*, kFrames> frames;  // NOLINT: valid as far as count says
  Published<int> count{0};
};

/// Whether the code belongs to this library.
bool is_own_code(const void* code);

/// Whether it belongs to the C library, which calls everything else in the end.
bool is_c_library(const void* code);

/// file:line of the code, as addr2line says; where it cannot, the symbol or the place in its file.
/// is_return_address: what is meant is the call before it. Cost: starts a program.
std::string line_of_code(const void* code, bool is_return_address);
/// The same, empty where the debug information does not know it.
std::string known_line_of_code(const void* code, bool is_return_address);

}  // namespace heddle
