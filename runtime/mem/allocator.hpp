// The memory allocators of the standard: OpenMP 5.2, chapter 6 and section 18.13.
//
// Words
//   space      a kind of memory. Every space here is the machine's main memory
//   allocator  a space with traits; the standard's own have small numbers as handles, those that programs
//              make are known by their address
//   pool       what an allocator may hold at one time, its own bookkeeping included
//   fallback   what an allocator does when it cannot: null, the default space, another allocator, or the end
//
// Invariant: in front of every block stands a header that says what to give back and to which allocator, so
// that any thread can free a block without naming its allocator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace heddle {

/// What programs hold: omp_allocator_handle_t.
using AllocatorHandle = std::uintptr_t;

enum PredefinedAllocator : AllocatorHandle {
  kNullAllocator = 0,  // stands for "the default allocator" where one is asked for, and for failure
  kDefaultAllocator = 1,
  kLargeCapAllocator,
  kConstAllocator,
  kHighBandwidthAllocator,
  kLowLatencyAllocator,
  kContentionGroupAllocator,
  kTeamAllocator,
  kThreadAllocator,
  kPinnedOfGnu = 200,
  kManagedOfGnu,
};

/// LLVM's headers from 21 on call the default space 99, and 0 omp_null_mem_space.
enum class MemorySpace : std::uintptr_t {
  kDefault,
  kLargeCap,
  kConst,
  kHighBandwidth,
  kLowLatency,
  kContentionGroup,
  kDefaultOfLlvm = 99,
  kManagedOfGnu = 200,
};

enum class TraitKey : int {
  kSyncHint = 1,
  kAlignment,
  kAccess,
  kPoolSize,
  kFallback,
  kFallbackData,
  kPinned,
  kPartition,
  // OpenMP 6.0
  kPinDevice,
  kPreferredDevice,
  kDeviceAccess,
  kTargetAccess,
  kAtomicScope,
  kPartSize,
};

enum TraitValue : std::uintptr_t {
  kFalse = 0,
  kTrue = 1,
  kContended = 3,
  kUncontended,
  kSerialized,
  kPrivate,
  kAll,  // of omp_atk_access; in LLVM's headers from 21 on kAllOfLlvm, and this is omp_atv_device
  kThread,
  kTeam,
  kContentionGroup,
  kDefaultMemoryFallback,
  kNullFallback,
  kAbortFallback,
  kAllocatorFallback,
  kEnvironment,
  kNearest,
  kBlocked,
  kInterleaved,
  kAllOfLlvm,
  kSingle,
  kMultiple,
  kMemorySpaceAccess,
  kDefaultValue = UINTPTR_MAX,
};

/// omp_alloctrait_t as it lies in memory.
struct Trait {
  TraitKey key;
  std::uintptr_t value;
};

[[nodiscard]] bool is_memory_space(std::uintptr_t space);
/// That of a space without traits (OpenMP 6.0, table 8.3); kNullAllocator where there is no such space.
[[nodiscard]] AllocatorHandle predefined_allocator(std::uintptr_t space);

/// Makes an allocator. Returns kNullAllocator where the space or a trait is unknown or cannot be had.
AllocatorHandle make_allocator(std::uintptr_t space, std::span<const Trait> traits);

/// Ends an allocator that a program made; the standard's own stay.
/// Requires: no block of it is in use.
void destroy_allocator(AllocatorHandle allocator);

/// Returns `bytes` of memory aligned to the greater of `alignment` and the allocator's, or null: where bytes
/// is 0, the alignment is no power of two, or the allocator and its fallbacks fail.
/// Requires: the handle is one of an allocator, not kNullAllocator.
void* allocate_from(AllocatorHandle allocator, std::size_t alignment, std::size_t bytes);

/// The same for `count` objects of `bytes` each, all zero.
void* allocate_zeroed_from(AllocatorHandle allocator, std::size_t alignment, std::size_t count,
                           std::size_t bytes);

/// Moves a block to another size and allocator; kNullAllocator: that of the block. Returns null and leaves
/// the block as it is where there is no memory; frees it where bytes is 0.
/// Requires: block is not null.
void* reallocate_from(AllocatorHandle allocator, void* block, std::size_t bytes);

/// Gives back a block of the functions above; null is nothing. From any thread.
void free_block(void* block);

}  // namespace heddle
