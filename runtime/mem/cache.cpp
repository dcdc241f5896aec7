#include "mem/cache.hpp"

#include <cstdlib>
#include <new>

#include "sys/fatal.hpp"

#if defined(__SANITIZE_ADDRESS__)
#  include <sanitizer/asan_interface.h>
#  define HEDDLE_POISON(block, bytes) ASAN_POISON_MEMORY_REGION(block, bytes)
#  define HEDDLE_UNPOISON(block, bytes) ASAN_UNPOISON_MEMORY_REGION(block, bytes)
#else
#  define HEDDLE_POISON(block, bytes) static_cast<void>(0)
#  define HEDDLE_UNPOISON(block, bytes) static_cast<void>(0)
#endif

namespace heddle {
namespace {

std::uint32_t class_of(std::size_t bytes) {
  return static_cast<std::uint32_t>((bytes + kCacheLine - 1) / kCacheLine - 1);
}
[[maybe_unused]] std::size_t bytes_of(std::uint32_t size_class) {
  return (size_class + std::size_t{1}) * kCacheLine;
}

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

void* MemoryCache::allocate(std::size_t bytes) {
  if (bytes > kLargestClass) return system_allocate(bytes);
  const std::uint32_t size_class = class_of(bytes);
  if (free_[size_class] == nullptr) reclaim();
  if (Node* node = free_[size_class]) {
    HEDDLE_UNPOISON(node, bytes_of(size_class));
    free_[size_class] = node->next;
    return node;
  }
  return carve(size_class);
}

void MemoryCache::release(void* block, std::size_t bytes, MemoryCache& home) {
  if (bytes > kLargestClass) {
    std::free(block);
    return;
  }
  const std::uint32_t size_class = class_of(bytes);
  Node* node = new (block) Node{nullptr, size_class};
  if (&home == this) {
    node->next = free_[size_class];
    free_[size_class] = node;
    HEDDLE_POISON(reinterpret_cast<char*>(node) + sizeof(Node), bytes_of(size_class) - sizeof(Node));
    return;
  }
  if (batch_home_ != &home || batch_count_ == kBatch) flush();
  HEDDLE_POISON(reinterpret_cast<char*>(node) + sizeof(Node), bytes_of(size_class) - sizeof(Node));
  batch_home_ = &home;
  node->next = batch_first_;
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

void* MemoryCache::carve(std::uint32_t size_class) {
  const std::size_t bytes = (size_class + std::size_t{1}) * kCacheLine;
  if (slab_end_ - slab_cursor_ < static_cast<std::ptrdiff_t>(bytes)) {
    // What is left of the old slab is lost: at most one block in kSlabBytes.
    Slab* slab = new (system_allocate(kSlabBytes)) Slab{slabs_};
    slabs_ = slab;
    slab_cursor_ = reinterpret_cast<char*>(slab) + kCacheLine;
    slab_end_ = reinterpret_cast<char*>(slab) + kSlabBytes;
  }
  void* block = slab_cursor_;
  slab_cursor_ += bytes;
  return block;
}

void MemoryCache::reclaim() {
  for (Node* node = returned_.take_all(); node != nullptr;) {
    Node* next = node->next;
    node->next = free_[node->size_class];
    free_[node->size_class] = node;
    node = next;
  }
}

}  // namespace heddle
