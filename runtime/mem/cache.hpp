// Memory for tasks and edges: each thread carves blocks from slabs of its own and reuses what comes back.
//
// Words
//   home   of a block: the cache that carved it
//   crate  a freed block that holds the addresses of others which travel home with it. Neither side touches
//          those: their lines stay where they are until the home hands the blocks out again.
//
// Invariant: a block is in exactly one place: with its user, on its home's free stack of its size class, in
// one thread's outgoing crate, or in a crate on its home's return stack. Only the owning thread touches
// stacks, slabs and its outgoing crate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/cache_line.hpp"
#include "sync/mpsc_stack.hpp"

// Tells AddressSanitizer which memory of a cache nobody may touch, and where pointers may stand in it.
#if defined(__SANITIZE_ADDRESS__)
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/lsan_interface.h>
#  define HEDDLE_POISON(block, bytes) ASAN_POISON_MEMORY_REGION(block, bytes)
#  define HEDDLE_UNPOISON(block, bytes) ASAN_UNPOISON_MEMORY_REGION(block, bytes)
#  define HEDDLE_BEGIN_ROOTS(pages, bytes) __lsan_register_root_region(pages, bytes)
#  define HEDDLE_END_ROOTS(pages, bytes) __lsan_unregister_root_region(pages, bytes)
#else
#  define HEDDLE_POISON(block, bytes) static_cast<void>(0)
#  define HEDDLE_UNPOISON(block, bytes) static_cast<void>(0)
#  define HEDDLE_BEGIN_ROOTS(pages, bytes) static_cast<void>(0)
#  define HEDDLE_END_ROOTS(pages, bytes) static_cast<void>(0)
#endif

namespace heddle {

class MemoryCache {
 public:
  MemoryCache() = default;
  ~MemoryCache();
  MemoryCache(const MemoryCache&) = delete;
  MemoryCache& operator=(const MemoryCache&) = delete;

  /// Returns `bytes` of memory that begins kOffset bytes behind a multiple of a cache line.
  /// Threads: owner. Errors: ends the program with a message where the system has no memory left.
  /// Cost: a few instructions where the size is at most kLargestClass and a free block is there.
  void* allocate(std::size_t bytes) {
    if (bytes <= kLargestClass) [[likely]] {
      const std::size_t size_class = class_of(bytes);
      FreeStack& free = free_[size_class];
      if (free.count != 0) [[likely]] {
        void* const block = free.blocks[--free.count];
        // Those that come next may be in another processor's cache: fetch them while this one is filled.
        if (free.count >= kAhead) prefetch(free.blocks[free.count - kAhead], bytes);
        HEDDLE_UNPOISON(block, bytes_of(size_class));
        bytes_in_use_ += bytes_of(size_class);
        return block;
      }
    }
    return allocate_slowly(bytes);
  }

  /// Gives back a block of allocate(bytes) of the cache `home`, which may be another thread's.
  /// Threads: owner of *this.
  void release(void* block, std::size_t bytes, MemoryCache& home) {
    if (&home != this || bytes > kLargestClass) [[unlikely]]
      return release_elsewhere(block, bytes, home);
    put(block, class_of(bytes));
  }

  /// Takes in what other threads have sent home.
  void reclaim();

  /// Bytes carved here that nobody has brought home; those beyond kLargestClass are not counted.
  /// Threads: owner. What others sent counts from reclaim() on.
  std::size_t bytes_in_use() const { return bytes_in_use_; }

  /// Sends the outgoing crate home. Call before a long sleep, so that no thread hoards another's memory.
  void flush();

  static constexpr std::size_t kLargestClass = 1024;
  /// So that what stands behind a task (task/task.hpp) begins with a cache line.
  static constexpr std::size_t kOffset = 16;

 private:
  struct Crate {
    Crate* next;
    std::uint32_t size_class;  // of the crate itself
    std::uint32_t count;

    /// Address | size class.
    std::uintptr_t& entry(std::uint32_t i) { return reinterpret_cast<std::uintptr_t*>(this + 1)[i]; }
  };
  struct FreeStack {
    std::unique_ptr<void*[]> blocks;
    std::uint32_t count = 0;
    std::uint32_t capacity = 0;
  };
  struct Slab {
    Slab* next;
    std::size_t bytes;
  };
  static_assert(sizeof(Slab) <= kOffset);
  // Each is twice as large as the one before: the end of one, which no block fits, is lost.
  static constexpr std::size_t kFirstSlab = std::size_t{1} << 20, kLargestSlab = std::size_t{1} << 24;
  static constexpr std::size_t kClasses = kLargestClass / kCacheLine;
  static constexpr std::uint32_t kMostInCrate = 32;
  static constexpr std::uint32_t kAhead = 3;
  static_assert(kClasses <= kOffset, "a size class stands in the low bits of an address");

  static std::size_t class_of(std::size_t bytes) { return (bytes + kCacheLine - 1) / kCacheLine - 1; }
  static std::size_t bytes_of(std::size_t size_class) { return (size_class + 1) * kCacheLine; }
  static std::uint32_t room_of(std::size_t size_class) {
    const std::size_t room = (bytes_of(size_class) - sizeof(Crate)) / sizeof(std::uintptr_t);
    return room < kMostInCrate ? static_cast<std::uint32_t>(room) : kMostInCrate;
  }
  static void prefetch(void* block, std::size_t bytes) {
    for (std::size_t at = 0; at < bytes; at += kCacheLine) prefetch_to_write(static_cast<char*>(block) + at);
  }

  void put(void* block, std::size_t size_class) {
    FreeStack& free = free_[size_class];
    if (free.count == free.capacity) [[unlikely]]
      grow(free);
    bytes_in_use_ -= bytes_of(size_class);
    HEDDLE_POISON(block, bytes_of(size_class));
    free.blocks[free.count++] = block;
  }
  [[gnu::cold]] void* allocate_slowly(std::size_t bytes);
  void release_elsewhere(void* block, std::size_t bytes, MemoryCache& home);
  void* carve(std::size_t size_class);
  [[gnu::cold]] static void grow(FreeStack& free);

  FreeStack free_[kClasses];
  char* slab_cursor_ = nullptr;
  char* slab_end_ = nullptr;
  Slab* slabs_ = nullptr;
  std::size_t bytes_in_use_ = 0;
  MemoryCache* crate_home_ = nullptr;
  Crate* crate_ = nullptr;
  alignas(kCacheLine) MpscStack<Crate> returned_;  // pushed by other threads
};

}  // namespace heddle
