// Memory management: OpenMP 5.2, section 18.13.
#include <algorithm>
#include <span>

#include "abi/defaults.hpp"
#include "abi/host_device.hpp"
#include "abi/omp/export.hpp"
#include "abi/omp/fortran.hpp"
#include "abi/omp/routines.hpp"
#include "mem/allocator.hpp"
#include "team/team.hpp"

using namespace heddle;

HEDDLE_EXPORT std::uintptr_t omp_init_allocator(std::uintptr_t space, int count, const void* traits) {
  if (count < 0 || (count > 0 && traits == nullptr)) return kNullAllocator;
  return make_allocator(space, {static_cast<const Trait*>(traits), static_cast<std::size_t>(count)});
}
HEDDLE_EXPORT void omp_destroy_allocator(std::uintptr_t allocator) {
  destroy_allocator(allocator);
}
HEDDLE_EXPORT void omp_set_default_allocator(std::uintptr_t allocator) {
  change_environment(this_member(), [&](DataEnvironment& e) {
    e.allocator = allocator != kNullAllocator ? allocator : kDefaultAllocator;
  });
}
HEDDLE_EXPORT std::uintptr_t omp_get_default_allocator() {
  return environment_of(this_member()).allocator;
}

HEDDLE_EXPORT void* omp_alloc(std::size_t bytes, std::uintptr_t allocator) {
  return allocate_from(or_default(allocator), 1, bytes);
}
HEDDLE_EXPORT void* omp_aligned_alloc(std::size_t alignment, std::size_t bytes, std::uintptr_t allocator) {
  return allocate_from(or_default(allocator), alignment, bytes);
}
HEDDLE_EXPORT void* omp_calloc(std::size_t count, std::size_t bytes, std::uintptr_t allocator) {
  return allocate_zeroed_from(or_default(allocator), 1, count, bytes);
}
HEDDLE_EXPORT void* omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t bytes,
                                       std::uintptr_t allocator) {
  return allocate_zeroed_from(or_default(allocator), alignment, count, bytes);
}

// Where no new allocator is named, the block stays with the one that it names or has.
HEDDLE_EXPORT void* omp_realloc(void* block, std::size_t bytes, std::uintptr_t allocator,
                                std::uintptr_t free_allocator) {
  if (block == nullptr) return allocate_from(or_default(allocator), 1, bytes);
  return reallocate_from(allocator != kNullAllocator ? allocator : free_allocator, block, bytes);
}
HEDDLE_EXPORT void omp_free(void* block, std::uintptr_t /*allocator*/) {
  free_block(block);
}

HEDDLE_OMP_VERSIONS(omp_init_allocator);
HEDDLE_OMP_VERSIONS(omp_destroy_allocator);
HEDDLE_OMP_VERSIONS(omp_set_default_allocator);
HEDDLE_OMP_VERSIONS(omp_get_default_allocator);
HEDDLE_OMP_VERSIONS(omp_alloc);
HEDDLE_OMP_VERSIONS(omp_aligned_alloc);
HEDDLE_OMP_VERSIONS(omp_calloc);
HEDDLE_OMP_VERSIONS(omp_aligned_calloc);
HEDDLE_OMP_VERSIONS(omp_realloc);
HEDDLE_OMP_VERSIONS(omp_free);

// -- Memory spaces and allocators of devices (OpenMP 6.0, sections 27.1 to 27.3), memory of groups, and
// constants as data: what LLVM's runtime has from 20 on. There is one device, the host, whose memory is one
// resource.

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

// -- Allocators: gfortran's entry points. Its memory routines (omp_alloc …) have the names of C.

HEDDLE_EXPORT std::intptr_t omp_init_allocator_(const std::uintptr_t* space, const std::int32_t* count,
                                                const void* traits) {
  return static_cast<std::intptr_t>(omp_init_allocator(*space, *count, traits));
}
HEDDLE_EXPORT std::intptr_t omp_init_allocator_8_(const std::uintptr_t* space, const std::int64_t* count,
                                                  const void* traits) {
  return static_cast<std::intptr_t>(omp_init_allocator(*space, heddle::narrow(*count), traits));
}
HEDDLE_EXPORT void omp_destroy_allocator_(const std::uintptr_t* allocator) {
  omp_destroy_allocator(*allocator);
}
HEDDLE_EXPORT void omp_set_default_allocator_(const std::uintptr_t* allocator) {
  omp_set_default_allocator(*allocator);
}
HEDDLE_FORTRAN_QUERY(std::uintptr_t, omp_get_default_allocator);

HEDDLE_OMP_VERSIONS(omp_init_allocator_);
HEDDLE_OMP_VERSIONS(omp_init_allocator_8_);
HEDDLE_OMP_VERSIONS(omp_destroy_allocator_);
HEDDLE_OMP_VERSIONS(omp_set_default_allocator_);
