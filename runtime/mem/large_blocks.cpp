#include "mem/large_blocks.hpp"

#include <mutex>
#include <new>

#include "mem/cache.hpp"
#include "sys/memory.hpp"

namespace heddle {
namespace {

void* new_pages(std::size_t bytes) {
  void* const block = map_pages(bytes, PagePlacement::kFirstTouch, false);
  if (block == nullptr) throw std::bad_alloc();
  HEDDLE_BEGIN_ROOTS(block, bytes);
  return block;
}

void free_block(void* block, std::size_t bytes) {
  HEDDLE_UNPOISON(block, bytes);
  HEDDLE_END_ROOTS(block, bytes);
  unmap_pages(block, bytes);
}

void* new_block(std::size_t bytes) {
  void* const block = new_pages(bytes);
  populate_pages(block, bytes);
  return block;
}

}  // namespace

LargeBlocks::~LargeBlocks() {
  for (std::size_t size_class = 0; size_class < kept_.size(); ++size_class)
    while (void* const block = take(size_class)) free_block(block, bytes_of(size_class));
}

LargeBlocks& LargeBlocks::of_process() {
  constexpr std::size_t kMostKept = std::size_t{64} << 20;
  static auto* const blocks = new LargeBlocks(kMostKept);  // other threads may use it while the program ends
  return *blocks;
}

void* LargeBlocks::take(std::size_t size_class) {
  const std::unique_lock guard(lock_, std::try_to_lock);
  if (!guard.owns_lock()) return nullptr;
  Kept* const block = kept_[size_class];
  if (block != nullptr) {
    HEDDLE_UNPOISON(block, bytes_of(size_class));
    kept_[size_class] = block->next;
    kept_bytes_ -= bytes_of(size_class);
  }
  return block;
}

bool LargeBlocks::keep(void* block, std::size_t size_class) {
  const std::unique_lock guard(lock_, std::try_to_lock);
  if (!guard.owns_lock()) return false;
  const bool has_room = kept_bytes_ + bytes_of(size_class) <= most_kept_;
  if (has_room) {
    kept_[size_class] = new (block) Kept{kept_[size_class]};
    kept_bytes_ += bytes_of(size_class);
    HEDDLE_POISON(block, bytes_of(size_class));
  }
  return has_room;
}

void* LargeBlocks::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes < kLeast) return std::pmr::new_delete_resource()->allocate(bytes, alignment);
  if (bytes > kLargest) return new_pages(bytes);  // much of it may never be used
  const std::size_t size_class = class_of(bytes);
  void* const kept = take(size_class);
  return kept != nullptr ? kept : new_block(bytes_of(size_class));
}

void LargeBlocks::do_deallocate(void* block, std::size_t bytes, std::size_t alignment) {
  if (bytes < kLeast) return std::pmr::new_delete_resource()->deallocate(block, bytes, alignment);
  if (bytes > kLargest) return free_block(block, bytes);
  const std::size_t size_class = class_of(bytes);
  if (!keep(block, size_class)) free_block(block, bytes_of(size_class));
}

}  // namespace heddle
