#include "sys/affinity.hpp"

#include <hwloc.h>
#include <sched.h>
#include <unistd.h>
#include <climits>
#include <cstddef>

#include "sys/fatal.hpp"

namespace heddle {

namespace {

constexpr int kBitsInWord = sizeof(unsigned long) * CHAR_BIT;

cpu_set_t* as_set(std::vector<unsigned long>& words) {
  return reinterpret_cast<cpu_set_t*>(words.data());
}

}  // namespace

ProcessorMask::ProcessorMask()
    : words_(static_cast<std::size_t>((capacity() + kBitsInWord - 1) / kBitsInWord)) {}

int ProcessorMask::capacity() {
  static const int processors = [] {
    const long configured = sysconf(_SC_NPROCESSORS_CONF);
    return configured > CPU_SETSIZE ? static_cast<int>(configured) : CPU_SETSIZE;
  }();
  return processors;
}

bool ProcessorMask::contains(int processor) const {
  return (words_[static_cast<std::size_t>(processor / kBitsInWord)] >> (processor % kBitsInWord) & 1) != 0;
}
void ProcessorMask::add(int processor) {
  words_[static_cast<std::size_t>(processor / kBitsInWord)] |= 1ul << (processor % kBitsInWord);
}
void ProcessorMask::remove(int processor) {
  words_[static_cast<std::size_t>(processor / kBitsInWord)] &= ~(1ul << (processor % kBitsInWord));
}

bool ProcessorMask::load_from_thread() {
  return sched_getaffinity(0, words_.size() * sizeof(unsigned long), as_set(words_)) == 0;
}
bool ProcessorMask::store_to_thread() const {
  return sched_setaffinity(0, words_.size() * sizeof(unsigned long),
                           reinterpret_cast<const cpu_set_t*>(words_.data())) == 0;
}

namespace {

// The kernel's mask, of as many bits as it may want.
struct Mask {
  explicit Mask(int processors) : bytes(CPU_ALLOC_SIZE(processors)), set(CPU_ALLOC(processors)) {
    CPU_ZERO_S(bytes, set);
  }
  ~Mask() { CPU_FREE(set); }
  Mask(const Mask&) = delete;
  Mask& operator=(const Mask&) = delete;
  std::size_t bytes;
  cpu_set_t* set;
};

constexpr int kMostProcessors = 1 << 16;

std::vector<int> processors_of(pid_t thread) {
  const Mask mask(kMostProcessors);
  std::vector<int> result;
  if (sched_getaffinity(thread, mask.bytes, mask.set) != 0) return result;
  const int count = CPU_COUNT_S(mask.bytes, mask.set);
  for (int processor = 0; static_cast<int>(result.size()) < count; ++processor)
    if (CPU_ISSET_S(static_cast<std::size_t>(processor), mask.bytes, mask.set)) result.push_back(processor);
  return result;
}

}  // namespace

std::vector<int> processors_of_this_thread() {
  return processors_of(0);
}

std::vector<int> processors_of_process() {
  std::vector<int> result = processors_of(getpid());
  return !result.empty() ? result
                         : processors_of(0);  // where the main thread has ended, systems may say nothing
}

bool bind_this_thread(const std::vector<int>& processors) {
  const Mask mask(kMostProcessors);
  for (const int processor : processors) CPU_SET_S(static_cast<std::size_t>(processor), mask.bytes, mask.set);
  return sched_setaffinity(0, mask.bytes, mask.set) == 0;
}

namespace {

hwloc_topology_t discover() {
  hwloc_topology_t topology;
  if (hwloc_topology_init(&topology) != 0 || hwloc_topology_load(topology) != 0)
    fatal("hwloc cannot discover this machine; unset OMP_PLACES and OMP_PROC_BIND to run without places");
  // What the process may use: programs see no other processor.
  hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
  if (hwloc_get_cpubind(topology, allowed, HWLOC_CPUBIND_PROCESS) == 0)
    hwloc_topology_restrict(topology, allowed, 0);
  hwloc_bitmap_free(allowed);
  return topology;
}

// Never destroyed: threads may ask until the process ends.
hwloc_topology_t topology() {
  static const hwloc_topology_t instance = discover();
  return instance;
}

int depth_of(TopologyLevel level) {
  switch (level) {
    case TopologyLevel::kThread:
      return hwloc_get_type_depth(topology(), HWLOC_OBJ_PU);
    case TopologyLevel::kCore:
      return hwloc_get_type_or_below_depth(topology(), HWLOC_OBJ_CORE);
    case TopologyLevel::kLastLevelCache:
      for (const hwloc_obj_type_t cache :
           {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L1CACHE})
        if (const int depth = hwloc_get_type_depth(topology(), cache); depth >= 0) return depth;
      return hwloc_get_type_or_below_depth(topology(), HWLOC_OBJ_PACKAGE);
    case TopologyLevel::kNumaDomain:
      return hwloc_get_type_depth(topology(), HWLOC_OBJ_NUMANODE);
    case TopologyLevel::kSocket:
      return hwloc_get_type_or_below_depth(topology(), HWLOC_OBJ_PACKAGE);
  }
  return 0;
}

std::vector<int> members_of(hwloc_const_bitmap_t set) {
  std::vector<int> result;
  for (int processor = hwloc_bitmap_first(set); processor >= 0; processor = hwloc_bitmap_next(set, processor))
    result.push_back(processor);
  return result;
}

}  // namespace

std::vector<std::vector<int>> processors_by(TopologyLevel level) {
  std::vector<std::vector<int>> result;
  const int depth = depth_of(level);
  for (hwloc_obj_t object = nullptr;
       (object = hwloc_get_next_obj_by_depth(topology(), depth, object)) != nullptr;)
    if (std::vector<int> members = members_of(object->cpuset); !members.empty())
      result.push_back(std::move(members));
  return result;
}

}  // namespace heddle
