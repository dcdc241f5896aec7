// The files of this process in the trace's folder: their names, and the copy of which file's code lies where.
//
// Words: a *stem* is a path without its suffix. A process has its own, which no other one has that writes to
// this folder: neither one of the same number on another machine or in another namespace, nor what this
// process was before it executed another program.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tracer/sums.hpp"

namespace heddle::tracer {

/// Makes the file, which was not there before: PROCESS.suffix, or PROCESS-2.suffix and so on. Returns its
/// path, or an empty one and errno. The folder is what HEDDLE_TRACE_DIRECTORY was when this library was
/// loaded.
std::string make_file(const char* suffix);

struct CopiedMap {
  std::uint64_t bytes = 0;
  Sums sums;
};

/// As the system says it, into the file of that stem with ".maps". What was there is replaced at once, or
/// stays where there is no room: then nothing is returned. Threads: one at a time.
std::optional<CopiedMap> copy_memory_map(const std::string& path_with_stem);

/// While it lives a file beyond the limit of sizes (RLIMIT_FSIZE) is an error and not a signal for the
/// calling thread, which would end the program.
class FileSizeSignalBlock {
 public:
  FileSizeSignalBlock();
  ~FileSizeSignalBlock();
  FileSizeSignalBlock(const FileSizeSignalBlock&) = delete;
  FileSizeSignalBlock& operator=(const FileSizeSignalBlock&) = delete;

 private:
  bool was_blocked_;
};

}  // namespace heddle::tracer
