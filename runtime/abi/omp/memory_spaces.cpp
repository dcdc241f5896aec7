// Memory spaces and allocators of devices (OpenMP 6.0, sections 27.1 to 27.3), memory of groups, and
// constants as data: what LLVM's runtime has from 20 on. There is one device, the host, whose memory is one
// resource.
#include <algorithm>
#include <span>

#include "abi/host_device.hpp"
#include "abi/omp/routines.hpp"
#include "mem/allocator.hpp"

using namespace heddle;

namespace {

using Space = std::uintptr_t;
constexpr Space kNullSpace = 0;

// What is for other devices than the host cannot be had.
bool are_host(std::span<const int> devices) {
  return std::ranges::all_of(devices, is_host);
}

Space space_for(std::span<const int> devices, Space space) {
  return are_host(devices) && is_memory_space(space) ? space : kNullSpace;
}
AllocatorHandle allocator_for(std::span<const int> devices, Space space) {
  return are_host(devices) ? predefined_allocator(space) : kNullAllocator;
}

std::span<const int> list(int count, const int* devices) {
  return {devices, count > 0 && devices != nullptr ? static_cast<std::size_t>(count) : 0};
}

}  // namespace

// Each for C, and as LLVM's runtime has it for Fortran: with an underscore and by reference.
#define HEDDLE_OF_DEVICES(Result, name, find)                                              \
  HEDDLE_EXPORT Result name(int count, const int* devices, Space space) {                  \
    return find(list(count, devices), space);                                              \
  }                                                                                        \
  HEDDLE_EXPORT Result name##_(const int* count, const int* devices, const Space* space) { \
    return find(list(*count, devices), *space);                                            \
  }
#define HEDDLE_OF_DEVICE(Result, name, find)                            \
  HEDDLE_EXPORT Result name(int device, Space space) {                  \
    return find(list(1, &device), space);                               \
  }                                                                     \
  HEDDLE_EXPORT Result name##_(const int* device, const Space* space) { \
    return find(list(1, device), *space);                               \
  }
#define HEDDLE_OF_ALL_DEVICES(Result, name, find)    \
  HEDDLE_EXPORT Result name(Space space) {           \
    return find({}, space);                          \
  }                                                  \
  HEDDLE_EXPORT Result name##_(const Space* space) { \
    return find({}, *space);                         \
  }

HEDDLE_OF_DEVICES(Space, omp_get_devices_memspace, space_for)
HEDDLE_OF_DEVICES(Space, omp_get_devices_and_host_memspace, space_for)
HEDDLE_OF_DEVICE(Space, omp_get_device_memspace, space_for)
HEDDLE_OF_DEVICE(Space, omp_get_device_and_host_memspace, space_for)
HEDDLE_OF_ALL_DEVICES(Space, omp_get_devices_all_memspace, space_for)
HEDDLE_OF_DEVICES(AllocatorHandle, omp_get_devices_allocator, allocator_for)
HEDDLE_OF_DEVICES(AllocatorHandle, omp_get_devices_and_host_allocator, allocator_for)
HEDDLE_OF_DEVICE(AllocatorHandle, omp_get_device_allocator, allocator_for)
HEDDLE_OF_DEVICE(AllocatorHandle, omp_get_device_and_host_allocator, allocator_for)
HEDDLE_OF_ALL_DEVICES(AllocatorHandle, omp_get_devices_all_allocator, allocator_for)

HEDDLE_EXPORT int omp_get_memspace_num_resources(Space space) {
  return is_memory_space(space) ? 1 : 0;
}
HEDDLE_EXPORT int omp_get_memspace_num_resources_(const Space* space) {
  return omp_get_memspace_num_resources(*space);
}
HEDDLE_EXPORT Space omp_get_submemspace(Space space, int count, const int* resources) {
  return is_memory_space(space) && count == 1 && resources[0] == 0 ? space : kNullSpace;
}
HEDDLE_EXPORT Space omp_get_submemspace_(const Space* space, const int* count, const int* resources) {
  return omp_get_submemspace(*space, *count, resources);
}

// The clause dyn_groupprivate gives a kernel of a device memory for each group of threads. On the host no
// construct has any.
HEDDLE_EXPORT void* omp_get_dyn_gprivate_ptr(std::size_t /*offset*/, int /*access*/) {
  return nullptr;
}
HEDDLE_EXPORT void* omp_get_dyn_gprivate_nofb_ptr(std::size_t /*offset*/, int /*access*/) {
  return nullptr;
}
HEDDLE_EXPORT std::size_t omp_get_dyn_gprivate_size(int /*access*/) {
  return 0;
}
HEDDLE_EXPORT Space omp_get_dyn_gprivate_memspace(int /*access*/) {
  return kNullSpace;
}

// Constants that LLVM's omp.h declares as data where it has no enumerations.
#define HEDDLE_CONSTANT(name, value) \
  extern "C" [[gnu::visibility("default")]] const std::uintptr_t name = value
HEDDLE_CONSTANT(omp_null_allocator, kNullAllocator);
HEDDLE_CONSTANT(omp_default_mem_alloc, kDefaultAllocator);
HEDDLE_CONSTANT(omp_large_cap_mem_alloc, kLargeCapAllocator);
HEDDLE_CONSTANT(omp_const_mem_alloc, kConstAllocator);
HEDDLE_CONSTANT(omp_high_bw_mem_alloc, kHighBandwidthAllocator);
HEDDLE_CONSTANT(omp_low_lat_mem_alloc, kLowLatencyAllocator);
HEDDLE_CONSTANT(omp_cgroup_mem_alloc, kContentionGroupAllocator);
HEDDLE_CONSTANT(omp_pteam_mem_alloc, kTeamAllocator);
HEDDLE_CONSTANT(omp_thread_mem_alloc, kThreadAllocator);
HEDDLE_CONSTANT(omp_null_mem_space, kNullSpace);
HEDDLE_CONSTANT(omp_default_mem_space, static_cast<Space>(MemorySpace::kDefaultOfLlvm));
HEDDLE_CONSTANT(omp_large_cap_mem_space, static_cast<Space>(MemorySpace::kLargeCap));
HEDDLE_CONSTANT(omp_const_mem_space, static_cast<Space>(MemorySpace::kConst));
HEDDLE_CONSTANT(omp_high_bw_mem_space, static_cast<Space>(MemorySpace::kHighBandwidth));
HEDDLE_CONSTANT(omp_low_lat_mem_space, static_cast<Space>(MemorySpace::kLowLatency));
HEDDLE_CONSTANT(omp_cgroup_mem_space, static_cast<Space>(MemorySpace::kContentionGroup));

// LLVM's for devices, as Intel's runtime names them.
HEDDLE_CONSTANT(omp_target_host_mem_alloc, 100);
HEDDLE_CONSTANT(omp_target_shared_mem_alloc, 101);
HEDDLE_CONSTANT(omp_target_device_mem_alloc, 102);
HEDDLE_CONSTANT(omp_target_host_mem_space, 100);
HEDDLE_CONSTANT(omp_target_shared_mem_space, 101);
HEDDLE_CONSTANT(omp_target_device_mem_space, 102);
