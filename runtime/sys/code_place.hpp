// Where in which file a piece of the program's code stands, as tools that read debug information want to know
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <unordered_map>

namespace heddle {

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

}  // namespace heddle
