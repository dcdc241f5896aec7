// Memory in large blocks for what is made anew now and then, such as the record of a taskgraph. Fresh pages
// cost more than what is written there, so blocks that are given back are kept for a thread that comes next,
// and new ones come with all their pages at once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <memory_resource>
#include <vector>

#include "sync/futex_lock.hpp"

namespace heddle {

/// Threads: any.
class LargeBlocks : public std::pmr::memory_resource {
 public:
  /// A block that has fewer bytes comes from operator new.
  static constexpr std::size_t kLeast = std::size_t{64} << 10;
  /// One that has more is not kept, and its pages come when they are touched.
  static constexpr std::size_t kLargest = std::size_t{64} << 20;

  /// Keeps no more bytes than that.
  explicit LargeBlocks(std::size_t most_kept) : most_kept_(most_kept) {}
  ~LargeBlocks() override;
  LargeBlocks(const LargeBlocks&) = delete;
  LargeBlocks& operator=(const LargeBlocks&) = delete;

  /// The process's, which is there as long as any code runs.
  static LargeBlocks& of_process();

  /// For the owner's eyes. Requires: nobody else uses it.
  std::size_t kept_bytes() const { return kept_bytes_; }

 private:
  struct Kept {
    Kept* next;
  };
  // Four sizes from one power of two to the next.
  static std::size_t class_of(std::size_t bytes) {
    const auto log = static_cast<std::size_t>(std::bit_width(bytes - 1)) - 1;
    return 4 * log + ((bytes - 1) >> (log - 2) & 3);
  }
  static std::size_t bytes_of(std::size_t size_class) { return (5 + size_class % 4) << (size_class / 4 - 2); }

  // Errors: std::bad_alloc.
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* block, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
  /// Null where none is kept.
  void* take(std::size_t size_class);
  /// Returns whether it is kept now.
  bool keep(void* block, std::size_t size_class);

  const std::size_t most_kept_;
  // Nobody waits for it, not a child either that was forked meanwhile.
  FutexLock lock_;
  std::size_t kept_bytes_ = 0;
  std::array<Kept*, 4 * std::bit_width(kLargest)> kept_{};  // by size class
};

/// From the process's blocks.
template <class T>
struct LargeBlockAllocator {
  using value_type = T;
  LargeBlockAllocator() = default;
  template <class U>
  LargeBlockAllocator(const LargeBlockAllocator<U>&) {}  // implicit, as allocators do

  T* allocate(std::size_t count) {
    return static_cast<T*>(LargeBlocks::of_process().allocate(count * sizeof(T), alignof(T)));
  }
  void deallocate(T* items, std::size_t count) {
    LargeBlocks::of_process().deallocate(items, count * sizeof(T), alignof(T));
  }
  bool operator==(const LargeBlockAllocator&) const { return true; }
};

template <class T>
using LargeVector = std::vector<T, LargeBlockAllocator<T>>;

}  // namespace heddle
