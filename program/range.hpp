// Names for what a program does, in its traces.
#pragma once

#include "runtime/include/heddle.h"

namespace heddle::program {

/// Until the end of its scope the calling task does what the name says (heddle_range_push). Cost where no
/// trace is written: two looks at a pointer.
class Range {
 public:
  explicit Range(const char* name) { heddle_range_push(name); }
  ~Range() { heddle_range_pop(); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
};

}  // namespace heddle::program
