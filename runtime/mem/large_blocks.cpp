#include "mem/large_blocks.hpp"

#include <new>

#include "sys/pages.hpp"

namespace heddle {

void* LargeBlocks::do_allocate(std::size_t bytes, std::size_t alignment) {
  if (bytes < kLarge) return ::operator new(bytes, std::align_val_t{alignment});
  void* const pages = map_large_pages(bytes);
  if (pages == nullptr) throw std::bad_alloc();
  return pages;
}

void LargeBlocks::do_deallocate(void* block, std::size_t bytes, std::size_t alignment) {
  if (bytes < kLarge)
    ::operator delete(block, std::align_val_t{alignment});
  else
    unmap_large_pages(block, bytes);
}

LargeBlocks& large_blocks() {
  static auto& blocks = *new LargeBlocks;  // graphs live as long as the process
  return blocks;
}

}  // namespace heddle
