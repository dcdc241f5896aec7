#include "mem/allocator.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>
#include <vector>

namespace heddle {
namespace {

AllocatorHandle with(std::initializer_list<Trait> traits) {
  return make_allocator(0, {traits.begin(), traits.size()});
}

TEST(Allocator, GivesBlocksOfEverySizeWithoutOverlap) {
  std::vector<char*> blocks;
  for (std::size_t bytes = 1; bytes < 300; ++bytes) {
    blocks.push_back(static_cast<char*>(allocate_from(kDefaultAllocator, 1, bytes)));
    ASSERT_NE(blocks.back(), nullptr);
    std::memset(blocks.back(), static_cast<int>(bytes % 251), bytes);
  }
  for (std::size_t bytes = 1; bytes < 300; ++bytes)
    for (std::size_t i = 0; i < bytes; ++i)
      ASSERT_EQ(static_cast<unsigned char>(blocks[bytes - 1][i]), bytes % 251);
  for (char* block : blocks) free_block(block);
}

TEST(Allocator, RefusesAnAlignmentThatIsNoPowerOfTwo) {
  EXPECT_EQ(allocate_from(kDefaultAllocator, 24, 100), nullptr);
  EXPECT_EQ(allocate_from(kDefaultAllocator, 0, 100), nullptr);
}

TEST(Allocator, KeepsTheAlignmentOfTheOneThatFellBack) {
  const AllocatorHandle small = with({{TraitKey::kAlignment, 4096}, {TraitKey::kPoolSize, 16}});
  void* block = allocate_from(small, 1, 100);
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 4096, 0u);
  free_block(block);
  destroy_allocator(small);
}

TEST(Allocator, ReturnsNullForMoreThanThereIs) {
  EXPECT_EQ(allocate_from(kDefaultAllocator, 1, SIZE_MAX), nullptr);
  EXPECT_EQ(allocate_from(kDefaultAllocator, 1, SIZE_MAX - 100), nullptr);
  EXPECT_EQ(allocate_zeroed_from(kLargeCapAllocator, 1, SIZE_MAX / 2, 4), nullptr);
}

TEST(Allocator, CountsItsPoolExactlyUnderManyThreads) {
  const AllocatorHandle pool = with({{TraitKey::kPoolSize, 100'000}, {TraitKey::kFallback, kNullFallback}});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([pool] {
      for (int i = 0; i < 2000; ++i) free_block(allocate_from(pool, 1, 30'000));
    });
  for (std::thread& thread : threads) thread.join();
  void* all = allocate_from(pool, 1, 99'000);  // nothing is left taken
  EXPECT_NE(all, nullptr);
  free_block(all);
  destroy_allocator(pool);
}

// Old and new block together would be more than the pool has.
TEST(Allocator, GrowsWithinWhatIsLeftOfThePool) {
  const AllocatorHandle pool = with({{TraitKey::kPoolSize, 4096}, {TraitKey::kFallback, kNullFallback}});
  auto* block = static_cast<char*>(allocate_from(pool, 1, 3071));
  ASSERT_NE(block, nullptr);
  block[3070] = 7;
  block = static_cast<char*>(reallocate_from(kNullAllocator, block, 3072));
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block[3070], 7);
  EXPECT_EQ(reallocate_from(pool, block, 4096), nullptr);  // the header's room is taken from the pool as well
  block = static_cast<char*>(reallocate_from(pool, block, 100));
  ASSERT_NE(block, nullptr);
  auto* const rest = static_cast<char*>(allocate_from(pool, 1, 3700));  // what was given back is there again
  EXPECT_NE(rest, nullptr);
  free_block(rest);
  free_block(block);
  auto* const all = static_cast<char*>(allocate_from(pool, 1, 4000));
  EXPECT_NE(all, nullptr);
  free_block(all);
  destroy_allocator(pool);
}

TEST(Allocator, LeavesTheBlockWhereItCannotGrow) {
  const AllocatorHandle pool = with({{TraitKey::kPoolSize, 1000}, {TraitKey::kFallback, kNullFallback}});
  auto* block = static_cast<char*>(allocate_from(pool, 1, 100));
  ASSERT_NE(block, nullptr);
  block[99] = 7;
  EXPECT_EQ(reallocate_from(kNullAllocator, block, 5000), nullptr);
  EXPECT_EQ(block[99], 7);
  free_block(block);
  destroy_allocator(pool);
}

TEST(Allocator, PinsAndPlacesWholePages) {
  for (const Trait trait : {Trait{TraitKey::kPinned, kTrue}, Trait{TraitKey::kPartition, kInterleaved},
                            Trait{TraitKey::kPartition, kBlocked}}) {
    const AllocatorHandle allocator = with({trait, {TraitKey::kAlignment, 64}});
    auto* block = static_cast<char*>(allocate_zeroed_from(allocator, 1, 10, 1000));
    ASSERT_NE(block, nullptr);
    for (int i = 0; i < 10'000; ++i) ASSERT_EQ(block[i], 0);
    std::memset(block, 1, 10'000);
    free_block(block);
    destroy_allocator(allocator);
  }
}

TEST(AllocatorDeathTest, NamesAHandleThatIsNone) {
  EXPECT_EXIT(allocate_from(77, 1, 10), ::testing::ExitedWithCode(2), "77 is no memory allocator");
}

}  // namespace
}  // namespace heddle
