#include "mem/cache.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace heddle {
namespace {

TEST(MemoryCache, BlocksAreAlignedApartAndWritable) {
  MemoryCache cache;
  std::set<std::uintptr_t> starts;
  std::vector<std::pair<void*, std::size_t>> blocks;
  for (std::size_t bytes : {1u, 64u, 65u, 256u, 1000u, 1024u, 1025u, 100000u}) {
    void* block = cache.allocate(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % kCacheLine, MemoryCache::kOffset);
    EXPECT_TRUE(starts.insert(reinterpret_cast<std::uintptr_t>(block)).second);
    std::memset(block, 0xab, bytes);
    blocks.emplace_back(block, bytes);
  }
  for (const auto& [block, bytes] : blocks) cache.release(block, bytes, cache);
}

TEST(MemoryCache, AReleasedBlockIsUsedAgain) {
  MemoryCache cache;
  void* block = cache.allocate(200);
  cache.release(block, 200, cache);
  EXPECT_EQ(cache.allocate(193), block);  // the same size class
}

TEST(MemoryCache, BlocksFreedElsewhereComeHomeWithTheFlush) {
  MemoryCache home, other;
  void* block = home.allocate(300);
  other.release(block, 300, home);
  EXPECT_NE(home.allocate(300), block);
  other.flush();
  EXPECT_EQ(home.allocate(300), block);
}

TEST(MemoryCache, TrafficBetweenThreadsDoesNotGrowWithoutBound) {
  // One thread allocates, another frees: the blocks must come back. Counted by distinct addresses.
  MemoryCache home, other;
  std::set<void*> seen;
  for (int round = 0; round < 1000; ++round) {
    std::vector<void*> blocks;
    for (int i = 0; i < 50; ++i) blocks.push_back(home.allocate(128));
    seen.insert(blocks.begin(), blocks.end());
    std::thread thread([&] {
      for (void* block : blocks) other.release(block, 128, home);
    });
    thread.join();
  }
  other.flush();
  EXPECT_LT(seen.size(), 200u);
}

}  // namespace
}  // namespace heddle
