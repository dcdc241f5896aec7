// A set of processors, as the operating system numbers them, and which of them a thread may run on.
#pragma once

#include <cstddef>
#include <vector>

namespace heddle {

class ProcessorMask {
 public:
  ProcessorMask();

  /// Processors that a mask has room for; numbers go from 0 to this, less one.
  static int capacity();

  bool contains(int processor) const;
  void add(int processor);
  void remove(int processor);

  /// The processors the calling thread may run on. Errors: returns false where the system does not say.
  bool load_from_thread();
  /// Lets the calling thread run on these only. Errors: returns false where the system refuses.
  bool store_to_thread() const;

 private:
  std::vector<unsigned long> words_;
};

// Which processors the calling thread may run on. A processor is named by the operating system's number.

/// Processors the calling thread may run on, ascending.
std::vector<int> processors_of_this_thread();

/// The same of the process: what its main thread may run on. Another thread may have been bound by its owner,
/// a library's helper say, which is no matter of the process's.
std::vector<int> processors_of_process();

/// Lets the calling thread run on these only. Returns false where none of them can be used.
bool bind_this_thread(const std::vector<int>& processors);

// The machine's processors as hwloc sees them.
//
// Words: a *processor* is a hardware thread, named by the operating system's number. Invariant: only
// processors that the process was allowed to use when it started are ever reported.

enum class TopologyLevel { kThread, kCore, kLastLevelCache, kNumaDomain, kSocket };

/// The processors of each object of that level, in the order of the machine; objects without an allowed
/// processor are left out. Cost: discovers the machine on first use, milliseconds.
std::vector<std::vector<int>> processors_by(TopologyLevel level);

}  // namespace heddle
