#include "mem/cache.hpp"

#include <cstdlib>

#include "sys/fatal.hpp"

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
    HEDDLE_UNPOISON(slab, kSlabBytes);
    std::free(slab);
    slab = next;
  }
}

void* MemoryCache::allocate_slowly(std::size_t bytes) {
  if (bytes > kLargestClass) return static_cast<char*>(system_allocate(kOffset + bytes)) + kOffset;
  const std::size_t size_class = class_of(bytes);
  reclaim();
  if (Node* node = free_[size_class]) {
    HEDDLE_UNPOISON(node, bytes_of(size_class));
    free_[size_class] = node->next;
    bytes_in_use_ += bytes_of(size_class);
    return node;
  }
  return carve(size_class);
}

void MemoryCache::release_elsewhere(void* block, std::size_t bytes, MemoryCache& home) {
  if (bytes > kLargestClass) {
    std::free(static_cast<char*>(block) - kOffset);
    return;
  }
  if (batch_home_ != &home || batch_count_ == kBatch) flush();
  const std::size_t size_class = class_of(bytes);
  Node* node = new (block) Node{batch_first_, static_cast<std::uint32_t>(size_class)};
  HEDDLE_POISON(reinterpret_cast<char*>(node) + sizeof(Node), bytes_of(size_class) - sizeof(Node));
  batch_home_ = &home;
  batch_first_ = node;
  if (batch_last_ == nullptr) batch_last_ = node;
  ++batch_count_;
}

void MemoryCache::flush() {
  if (batch_count_ == 0) return;
  batch_home_->returned_.push_chain(batch_first_, batch_last_);
  batch_first_ = batch_last_ = nullptr;
  batch_count_ = 0;
}

void* MemoryCache::carve(std::size_t size_class) {
  const std::size_t bytes = bytes_of(size_class);
  if (slab_end_ - slab_cursor_ < static_cast<std::ptrdiff_t>(bytes)) {
    // What is left of the old slab is lost: at most one block in kSlabBytes.
    Slab* slab = new (system_allocate(kSlabBytes)) Slab{slabs_};
    slabs_ = slab;
    slab_cursor_ = reinterpret_cast<char*>(slab) + kOffset;
    slab_end_ = reinterpret_cast<char*>(slab) + kSlabBytes;
  }
  void* block = slab_cursor_;
  slab_cursor_ += bytes;
  bytes_in_use_ += bytes;
  return block;
}

void MemoryCache::reclaim() {
  for (Node* node = returned_.take_all(); node != nullptr;) {
    Node* next = node->next;
    bytes_in_use_ -= bytes_of(node->size_class);
    node->next = free_[node->size_class];
    free_[node->size_class] = node;
    node = next;
  }
}

}  // namespace heddle
