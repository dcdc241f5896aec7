// Memory for tasks and edges: each thread carves blocks from slabs of its own and reuses what comes back.
//
// Words: the *home* of a block is the cache that carved it. A block freed elsewhere travels home in a
// *batch*. Invariant: a block is in exactly one place: with its user, on its home's free list of its size
// class, in one thread's outgoing batch, or on its home's return stack. Only the owning thread touches lists,
// slab and batch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "base/cache_line.hpp"
#include "mem/poison.hpp"
#include "sync/mpsc_stack.hpp"

namespace heddle {

class MemoryCache {
 public:
  MemoryCache() = default;
  ~MemoryCache();
  MemoryCache(const MemoryCache&) = delete;
  MemoryCache& operator=(const MemoryCache&) = delete;

  /// Returns `bytes` of memory that begins kOffset bytes behind a multiple of a cache line.
  /// Threads: owner. Errors: ends the program with a message where the system has no memory left.
  /// Cost: a few instructions where the size is at most kLargestClass and the free list has a block.
  void* allocate(std::size_t bytes) {
    if (bytes <= kLargestClass) [[likely]] {
      const std::size_t size_class = class_of(bytes);
      if (Node* node = free_[size_class]) [[likely]] {
        HEDDLE_UNPOISON(node, bytes_of(size_class));
        free_[size_class] = node->next;
        bytes_in_use_ += bytes_of(size_class);
        // The next may come from another processor's cache: fetch it while this one is filled.
        __builtin_prefetch(node->next, 1);
        __builtin_prefetch(reinterpret_cast<char*>(node->next) + kCacheLine, 1);
        return node;
      }
    }
    return allocate_slowly(bytes);
  }

  /// Gives back a block of allocate(bytes) of the cache `home`, which may be another thread's.
  /// Threads: owner of *this.
  void release(void* block, std::size_t bytes, MemoryCache& home) {
    if (&home != this || bytes > kLargestClass) [[unlikely]]
      return release_elsewhere(block, bytes, home);
    const std::size_t size_class = class_of(bytes);
    bytes_in_use_ -= bytes_of(size_class);
    free_[size_class] = new (block) Node{free_[size_class], static_cast<std::uint32_t>(size_class)};
    HEDDLE_POISON(static_cast<char*>(block) + sizeof(Node), bytes_of(size_class) - sizeof(Node));
  }

  /// Takes in what other threads have sent home.
  void reclaim();

  /// Bytes carved here that nobody has brought home; those beyond kLargestClass are not counted.
  /// Threads: owner. What others sent counts from reclaim() on.
  std::size_t bytes_in_use() const { return bytes_in_use_; }

  /// Sends the outgoing batch home. Call before a long sleep, so that no thread hoards another's memory.
  void flush();

  static constexpr std::size_t kLargestClass = 1024;
  /// So that what stands behind a task (task/task.hpp) begins with a cache line.
  static constexpr std::size_t kOffset = 16;

 private:
  struct Node {
    Node* next;
    std::uint32_t size_class;
  };
  struct Slab {
    Slab* next;
  };
  static constexpr std::size_t kSlabBytes = 64 * 1024;
  static constexpr std::size_t kClasses = kLargestClass / kCacheLine;
  static constexpr int kBatch = 32;

  static std::size_t class_of(std::size_t bytes) { return (bytes + kCacheLine - 1) / kCacheLine - 1; }
  [[maybe_unused]] static std::size_t bytes_of(std::size_t size_class) {
    return (size_class + 1) * kCacheLine;
  }

  void* allocate_slowly(std::size_t bytes);
  void release_elsewhere(void* block, std::size_t bytes, MemoryCache& home);
  void* carve(std::size_t size_class);

  Node* free_[kClasses] = {};
  char* slab_cursor_ = nullptr;
  char* slab_end_ = nullptr;
  Slab* slabs_ = nullptr;
  std::size_t bytes_in_use_ = 0;
  MemoryCache* batch_home_ = nullptr;
  Node* batch_first_ = nullptr;
  Node* batch_last_ = nullptr;
  int batch_count_ = 0;
  alignas(kCacheLine) MpscStack<Node> returned_;  // pushed by other threads
};

}  // namespace heddle
