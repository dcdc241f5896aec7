// Where arenas get their memory: small blocks from the heap, large ones as large pages where the system has
// them, since a graph of a hundred thousand tasks touches thousands of pages for the first time.
#pragma once

#include <cstddef>
#include <memory_resource>

namespace heddle {

class LargeBlocks final : public std::pmr::memory_resource {
 public:
  /// Blocks from this size on are large pages of their own.
  static constexpr std::size_t kLarge = std::size_t{1} << 19;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }
};

LargeBlocks& large_blocks();

/// Memory that is given back all at once.
class Arena : public std::pmr::monotonic_buffer_resource {
 public:
  Arena() : std::pmr::monotonic_buffer_resource(&large_blocks()) {}
};

}  // namespace heddle
