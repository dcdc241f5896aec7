// Where arenas get their memory: small blocks from the heap, large ones as large pages where the system has
// them, since a graph of a hundred thousand tasks touches thousands of pages for the first time.
#pragma once

#include <cstddef>
#include <memory_resource>
#include <mutex>
#include <vector>

#include "sync/futex_lock.hpp"

namespace heddle {

class LargeBlocks final : public std::pmr::memory_resource {
 public:
  /// Blocks from this size on are large pages of their own.
  static constexpr std::size_t kLarge = std::size_t{1} << 19;
  /// So much that was given back is kept for those who want it again: a region that is recorded anew.
  static constexpr std::size_t kMostKept = std::size_t{64} << 20;

 private:
  struct Kept {
    void* block;
    std::size_t bytes;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  void* take_kept(std::size_t bytes);
  bool keep(void* block, std::size_t bytes);
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  FutexLock lock_;
  std::vector<Kept> kept_;
  std::size_t kept_bytes_ = 0;
};

LargeBlocks& large_blocks();

/// Memory that is given back all at once.
class Arena : public std::pmr::monotonic_buffer_resource {
 public:
  Arena() : std::pmr::monotonic_buffer_resource(&large_blocks()) {}
};

}  // namespace heddle
