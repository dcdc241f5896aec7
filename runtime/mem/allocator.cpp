#include "mem/allocator.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/relaxed_atomic.hpp"
#include "sys/fatal.hpp"
#include "sys/memory.hpp"

namespace heddle {
namespace {

struct Allocator {
  std::size_t alignment = 1;
  std::size_t pool_bytes = SIZE_MAX;
  TraitValue fallback = kDefaultMemoryFallback;
  AllocatorHandle fallback_allocator = kNullAllocator;
  PagePlacement placement = PagePlacement::kFirstTouch;
  bool is_pinned = false;
  RelaxedAtomic<std::size_t> used_bytes{0};  // of the pool, where there is one

  bool has_pool() const { return pool_bytes != SIZE_MAX; }
  bool wants_pages() const { return is_pinned || placement != PagePlacement::kFirstTouch; }
};

// In front of every block.
struct Header {
  void* base;
  std::size_t total_bytes;  // from base, all told
  std::size_t bytes;        // that the program asked for
  Allocator* allocator;
  AllocatorHandle handle;
};
constexpr std::size_t kLeastAlignment = alignof(std::max_align_t);

// The standard's own differ in access, which main memory grants to all, and in the default allocator's
// fallback (OpenMP 5.2, table 6.3). Handles of LLVM's allocators for devices are host memory as well.
Allocator& predefined(AllocatorHandle handle) {
  static Allocator ordinary;
  static Allocator standard{.fallback = kNullFallback};
  static Allocator pinned{.fallback = kNullFallback, .is_pinned = true};
  return handle == kDefaultAllocator ? standard : handle == kPinnedOfGnu ? pinned : ordinary;
}

constexpr AllocatorHandle kFirstOfLlvm = 100, kLastOfLlvm = 102;

bool is_predefined(AllocatorHandle handle) {
  return handle <= kThreadAllocator || (handle >= kFirstOfLlvm && handle <= kLastOfLlvm) ||
         handle == kPinnedOfGnu || handle == kManagedOfGnu;
}

Allocator& allocator_of(AllocatorHandle handle) {
  if (is_predefined(handle)) return predefined(handle);
  if (handle % alignof(Allocator) != 0 || handle < 4096)
    fatal("%zu is no memory allocator; use omp_init_allocator's result", static_cast<std::size_t>(handle));
  return *reinterpret_cast<Allocator*>(handle);
}

Header& header_of(void* block) {
  return static_cast<Header*>(block)[-1];
}

// in_exchange_for: bytes of the pool that the caller has, and gives back for these.
bool take_from_pool(Allocator& allocator, std::size_t bytes, std::size_t in_exchange_for) {
  if (!allocator.has_pool()) return true;
  std::size_t used = allocator.used_bytes.load();
  do {
    if (bytes > allocator.pool_bytes - (used - in_exchange_for)) return false;
  } while (!allocator.used_bytes.compare_exchange_weak(used, used - in_exchange_for + bytes));
  return true;
}

void return_to_pool(Allocator& allocator, std::size_t bytes) {
  if (allocator.has_pool()) allocator.used_bytes.fetch_sub(bytes);
}

// One try, without fallback.
void* try_allocate(AllocatorHandle handle, std::size_t alignment, std::size_t bytes, bool is_zeroed,
                   std::size_t in_exchange_for = 0) {
  Allocator& allocator = allocator_of(handle);
  alignment = std::max({alignment, allocator.alignment, kLeastAlignment});
  const std::size_t overhead = sizeof(Header) + alignment - 1;
  if (bytes > PTRDIFF_MAX - overhead) return nullptr;
  const std::size_t total = bytes + overhead;
  if (!take_from_pool(allocator, total, in_exchange_for)) return nullptr;
  void* const base = allocator.wants_pages() ? map_pages(total, allocator.placement, allocator.is_pinned)
                     : is_zeroed             ? std::calloc(1, total)
                                             : std::malloc(total);
  if (base == nullptr) {
    return_to_pool(allocator, total - in_exchange_for);  // less than nothing where the block shrinks
    return nullptr;
  }
  const auto first = reinterpret_cast<std::uintptr_t>(base) + sizeof(Header);
  void* const block = reinterpret_cast<void*>((first + alignment - 1) & ~(alignment - 1));
  new (&header_of(block)) Header{base, total, bytes, &allocator, handle};
  return block;
}

void* allocate(AllocatorHandle handle, std::size_t alignment, std::size_t bytes, bool is_zeroed) {
  if (bytes == 0 || !std::has_single_bit(alignment)) return nullptr;
  for (;;) {
    if (void* block = try_allocate(handle, alignment, bytes, is_zeroed)) return block;
    const Allocator& allocator = allocator_of(handle);
    alignment = std::max(alignment, allocator.alignment);  // what the program relies on stays
    switch (allocator.fallback) {
      case kAllocatorFallback:
        handle = allocator.fallback_allocator;
        break;
      case kDefaultMemoryFallback:
        return try_allocate(kDefaultAllocator, alignment, bytes, is_zeroed);
      case kAbortFallback:
        fatal(
            "no memory for %zu bytes, and the allocator's fallback is to end the program; raise its "
            "pool_size or "
            "choose another fallback",
            bytes);
      default:
        return nullptr;
    }
  }
}

bool is_between(std::uintptr_t value, TraitValue first, TraitValue last) {
  return value >= first && value <= last;
}

// Returns false where the trait is unknown or its value does not fit.
bool apply(Allocator& allocator, const Trait& trait) {
  const bool is_default = trait.value == kDefaultValue;
  switch (trait.key) {
    case TraitKey::kSyncHint:
      return is_default || is_between(trait.value, kContended, kPrivate);
    case TraitKey::kAccess:
      return is_default || is_between(trait.value, kAll, kContentionGroup) || trait.value == kAllOfLlvm ||
             trait.value == kMemorySpaceAccess;
    case TraitKey::kAlignment:
      allocator.alignment = is_default ? 1 : trait.value;
      return std::has_single_bit(allocator.alignment);
    case TraitKey::kPoolSize:
      allocator.pool_bytes = trait.value;  // the default is the greatest number there is
      return trait.value > 0;
    case TraitKey::kFallback:
      allocator.fallback = is_default ? kDefaultMemoryFallback : static_cast<TraitValue>(trait.value);
      return is_default || is_between(trait.value, kDefaultMemoryFallback, kAllocatorFallback);
    case TraitKey::kFallbackData:
      allocator.fallback_allocator = is_default ? kNullAllocator : trait.value;
      return true;
    case TraitKey::kPinned:
      allocator.is_pinned = trait.value == kTrue;
      return is_default || trait.value == kTrue || trait.value == kFalse;
    case TraitKey::kPartition:
      allocator.placement = trait.value == kInterleaved ? PagePlacement::kInterleaved
                            : trait.value == kBlocked   ? PagePlacement::kBlocked
                                                        : PagePlacement::kFirstTouch;
      return is_default || is_between(trait.value, kEnvironment, kInterleaved);
    // Of OpenMP 6.0, section 8.2. There is one device, whose threads all see the same memory.
    case TraitKey::kPinDevice:
    case TraitKey::kPreferredDevice:
      return true;
    case TraitKey::kDeviceAccess:
    case TraitKey::kTargetAccess:
      return is_default || trait.value == kSingle || trait.value == kMultiple;
    case TraitKey::kAtomicScope:
      return is_default || trait.value == kAll || trait.value == kAllOfLlvm;
    case TraitKey::kPartSize:
      return true;
  }
  return false;
}

}  // namespace

bool is_memory_space(std::uintptr_t space) {
  return space <= static_cast<std::uintptr_t>(MemorySpace::kContentionGroup) ||
         (space >= static_cast<std::uintptr_t>(MemorySpace::kDefaultOfLlvm) && space <= kLastOfLlvm) ||
         space == static_cast<std::uintptr_t>(MemorySpace::kManagedOfGnu);
}

AllocatorHandle predefined_allocator(std::uintptr_t space) {
  if (!is_memory_space(space)) return kNullAllocator;
  if (space >= kFirstOfLlvm && space <= kLastOfLlvm) return space;
  switch (static_cast<MemorySpace>(space)) {
    case MemorySpace::kDefaultOfLlvm:
      return kDefaultAllocator;
    case MemorySpace::kManagedOfGnu:
      return kManagedOfGnu;
    default:
      return space + kDefaultAllocator;  // in the same order
  }
}

AllocatorHandle make_allocator(std::uintptr_t space, std::span<const Trait> traits) {
  if (!is_memory_space(space)) return kNullAllocator;
  auto* const allocator = new (std::nothrow) Allocator;
  if (allocator == nullptr) return kNullAllocator;
  bool is_sound = true;
  for (const Trait& trait : traits) is_sound = is_sound && apply(*allocator, trait);
  if (allocator->fallback == kAllocatorFallback && allocator->fallback_allocator == kNullAllocator)
    is_sound = false;
  if (!is_sound) {
    delete allocator;
    return kNullAllocator;
  }
  return reinterpret_cast<AllocatorHandle>(allocator);
}

void destroy_allocator(AllocatorHandle allocator) {
  if (!is_predefined(allocator)) delete &allocator_of(allocator);
}

void* allocate_from(AllocatorHandle allocator, std::size_t alignment, std::size_t bytes) {
  return allocate(allocator, alignment, bytes, false);
}

void* allocate_zeroed_from(AllocatorHandle allocator, std::size_t alignment, std::size_t count,
                           std::size_t bytes) {
  std::size_t all = 0;
  if (__builtin_mul_overflow(count, bytes, &all)) all = SIZE_MAX;  // more than there is: the fallback decides
  return allocate(allocator, alignment, all, true);
}

namespace {

// The pool's account aside.
void free_memory(const Header header) {
  if (header.allocator->wants_pages())
    unmap_pages(header.base, header.total_bytes);
  else
    std::free(header.base);
}

}  // namespace

void* reallocate_from(AllocatorHandle allocator, void* block, std::size_t bytes) {
  if (bytes == 0) {
    free_block(block);
    return nullptr;
  }
  const Header& old = header_of(block);
  const AllocatorHandle handle = allocator != kNullAllocator ? allocator : old.handle;
  // Within a pool the new block takes the old one's part: both at once may be more than there is.
  const bool stays = handle == old.handle;
  void* moved = stays ? try_allocate(handle, 1, bytes, false, old.total_bytes) : nullptr;
  const bool is_exchanged = moved != nullptr;
  if (moved == nullptr) moved = allocate(handle, 1, bytes, false);
  if (moved == nullptr) return nullptr;
  std::memcpy(moved, block, std::min(bytes, old.bytes));
  if (is_exchanged)
    free_memory(old);
  else
    free_block(block);
  return moved;
}

void free_block(void* block) {
  if (block == nullptr) return;
  const Header header = header_of(block);
  free_memory(header);
  return_to_pool(*header.allocator, header.total_bytes);
}

}  // namespace heddle
