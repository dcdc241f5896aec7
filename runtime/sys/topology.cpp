#include "sys/topology.hpp"

#include <hwloc.h>

#include "sys/fatal.hpp"

namespace heddle {
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
