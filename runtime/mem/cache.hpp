// Memory for tasks and edges: each thread carves blocks from slabs of its own and reuses what comes back.
//
// Words: the *home* of a block is the cache that carved it. A block freed elsewhere travels home in a
// *batch*. Invariant: a block is in exactly one place: with its user, on its home's free list of its size
// class, in one thread's outgoing batch, or on its home's return stack. Only the owning thread touches lists,
// slab and batch.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cache_line.hpp"
#include "sync/mpsc_stack.hpp"

namespace heddle {

class MemoryCache {
 public:
  MemoryCache() = default;
  ~MemoryCache();
  MemoryCache(const MemoryCache&) = delete;
  MemoryCache& operator=(const MemoryCache&) = delete;

  /// Returns `bytes` of memory aligned to a cache line.
  /// Threads: owner. Errors: ends the program with a message where the system has no memory left.
  /// Cost: a few instructions where the size is at most kLargestClass and the free list has a block.
  void* allocate(std::size_t bytes);

  /// Gives back a block of allocate(bytes) of the cache `home`, which may be another thread's.
  /// Threads: owner of *this.
  void release(void* block, std::size_t bytes, MemoryCache& home);

  /// Sends the outgoing batch home. Call before a long sleep, so that no thread hoards another's memory.
  void flush();

  static constexpr std::size_t kLargestClass = 1024;

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

  void* carve(std::uint32_t size_class);
  void reclaim();

  Node* free_[kClasses] = {};
  char* slab_cursor_ = nullptr;
  char* slab_end_ = nullptr;
  Slab* slabs_ = nullptr;
  MemoryCache* batch_home_ = nullptr;
  Node* batch_first_ = nullptr;
  Node* batch_last_ = nullptr;
  int batch_count_ = 0;
  alignas(kCacheLine) MpscStack<Node> returned_;  // pushed by other threads
};

}  // namespace heddle
