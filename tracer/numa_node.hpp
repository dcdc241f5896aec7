// On which node of the machine's memory (NUMA) a thread is.
#pragma once

#include <sched.h>

namespace heddle::tracer {

struct Processor {
  unsigned number = 0, node = 0;
  bool operator==(const Processor&) const = default;
};

/// That of the calling thread now; it may be on another one soon, unless it is bound. Zeros where the system
/// does not say.
inline Processor this_processor() {
  Processor here;
  if (getcpu(&here.number, &here.node) != 0) here = {};
  return here;
}

}  // namespace heddle::tracer
