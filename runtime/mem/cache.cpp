#include "mem/cache.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <utility>

#include "sys/fatal.hpp"
#include "sys/memory.hpp"

namespace heddle {
namespace {

void* system_allocate(std::size_t bytes) {
  void* block = std::aligned_alloc(kCacheLine, (bytes + kCacheLine - 1) / kCacheLine * kCacheLine);
  if (block == nullptr) fatal("no memory left for a task of %zu bytes; create fewer tasks at a time", bytes);
  return block;
}

}  // namespace

MemoryCache::~MemoryCache() {
  for (Slab* slab = slabs_; slab != nullptr;) {
    Slab* next = slab->next;
    const std::size_t bytes = slab->bytes;
    HEDDLE_UNPOISON(slab, bytes);
    HEDDLE_END_ROOTS(slab, bytes);
    unmap_pages(slab, bytes);
    slab = next;
  }
}

void* MemoryCache::allocate_slowly(std::size_t bytes) {
  if (bytes > kLargestClass) return static_cast<char*>(system_allocate(kOffset + bytes)) + kOffset;
  const std::size_t size_class = class_of(bytes);
  reclaim();
  return free_[size_class].count != 0 ? allocate(bytes) : carve(size_class);
}

void MemoryCache::release_elsewhere(void* block, std::size_t bytes, MemoryCache& home) {
  if (bytes > kLargestClass) {
    std::free(static_cast<char*>(block) - kOffset);
    return;
  }
  const std::size_t size_class = class_of(bytes);
  if (crate_ != nullptr && (crate_home_ != &home || crate_->count == room_of(crate_->size_class))) flush();
  if (crate_ == nullptr) {
    crate_home_ = &home;
    crate_ = new (block) Crate{nullptr, static_cast<std::uint32_t>(size_class), 0};
    return;
  }
  HEDDLE_POISON(block, bytes_of(size_class));
  crate_->entry(crate_->count++) = reinterpret_cast<std::uintptr_t>(block) | size_class;
}

void MemoryCache::flush() {
  if (crate_ == nullptr) return;
  crate_home_->returned_.push(crate_);
  crate_ = nullptr;
}

void* MemoryCache::carve(std::size_t size_class) {
  const std::size_t bytes = bytes_of(size_class);
  if (slab_end_ - slab_cursor_ < static_cast<std::ptrdiff_t>(bytes)) {
    std::size_t slab = slabs_ == nullptr ? kFirstSlab : std::min(2 * slabs_->bytes, kLargestSlab);
    void* pages = map_pages(slab, PagePlacement::kFirstTouch, false);
    if (pages == nullptr) pages = map_pages(slab = kFirstSlab, PagePlacement::kFirstTouch, false);
    if (pages == nullptr) fatal("no memory left for tasks; create fewer tasks at a time");
    HEDDLE_BEGIN_ROOTS(pages, slab);
    slabs_ = new (pages) Slab{slabs_, slab};
    slab_cursor_ = static_cast<char*>(pages) + kOffset;
    slab_end_ = static_cast<char*>(pages) + slab;
  }
  void* block = slab_cursor_;
  slab_cursor_ += bytes;
  bytes_in_use_ += bytes;
  return block;
}

void MemoryCache::reclaim() {
  for (Crate* crate = returned_.take_all(); crate != nullptr;) {
    Crate* const next = crate->next;
    for (std::uint32_t i = 0; i < crate->count; ++i) {
      const std::uintptr_t entry = crate->entry(i);
      put(reinterpret_cast<void*>(entry & ~(kOffset - 1)), entry & (kOffset - 1));
    }
    put(crate, crate->size_class);
    crate = next;
  }
}

void MemoryCache::grow(FreeStack& free) {
  const std::uint32_t capacity = std::max(64u, 2 * free.capacity);
  std::unique_ptr<void*[]> larger(new void*[capacity]);
  std::copy_n(free.blocks.get(), free.count, larger.get());
  free.blocks = std::move(larger);
  free.capacity = capacity;
}

}  // namespace heddle
