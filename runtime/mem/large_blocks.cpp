#include "mem/large_blocks.hpp"

#include <new>

#include "sys/pages.hpp"

namespace heddle {

void* LargeBlocks::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes < kLarge) return ::operator new(bytes, std::align_val_t{alignment});
  const std::size_t rounded = round_to_large_pages(bytes);
  if (void* const block = take_kept(rounded)) return block;
  void* const pages = map_large_pages(rounded);
  if (pages == nullptr) throw std::bad_alloc();
  return pages;
}

void LargeBlocks::do_deallocate(void* block, std::size_t bytes, std::size_t alignment) {
  if (bytes < kLarge) return ::operator delete(block, std::align_val_t{alignment});
  const std::size_t rounded = round_to_large_pages(bytes);
  if (!keep(block, rounded)) unmap_large_pages(block, rounded);
}

void* LargeBlocks::take_kept(std::size_t bytes) {
  const std::unique_lock guard(lock_, std::try_to_lock);
  if (!guard) return nullptr;  // also in a child of a process that held it
  for (Kept& kept : kept_) {
    if (kept.bytes != bytes) continue;
    void* const block = kept.block;
    kept = kept_.back();
    kept_.pop_back();
    kept_bytes_ -= bytes;
    return block;
  }
  return nullptr;
}

bool LargeBlocks::keep(void* block, std::size_t bytes) {
  const std::unique_lock guard(lock_, std::try_to_lock);
  if (!guard) return false;  // also in a child of a process that held it
  if (kept_bytes_ + bytes > kMostKept) return false;
  kept_.push_back({block, bytes});
  kept_bytes_ += bytes;
  return true;
}

LargeBlocks& large_blocks() {
  static auto& blocks = *new LargeBlocks;  // graphs live as long as the process
  return blocks;
}

}  // namespace heddle
