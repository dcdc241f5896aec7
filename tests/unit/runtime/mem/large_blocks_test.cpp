#include "mem/large_blocks.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace heddle {
namespace {

constexpr std::size_t kPlenty = std::size_t{1} << 30;

TEST(LargeBlocks, AreWritableWhateverTheirSize) {
  LargeBlocks blocks(kPlenty);
  std::vector<std::size_t> sizes{1, 64, LargeBlocks::kLeast - 1, LargeBlocks::kLargest + 1};
  for (std::size_t bytes = LargeBlocks::kLeast; bytes <= LargeBlocks::kLargest / 16; bytes += bytes / 7)
    for (const std::size_t around : {bytes - 1, bytes, bytes + 1})
      if (around >= LargeBlocks::kLeast) sizes.push_back(around);
  for (std::size_t power = LargeBlocks::kLeast; power <= LargeBlocks::kLargest; power *= 2)
    sizes.push_back(power);
  for (const std::size_t bytes : sizes) {
    void* const block = blocks.allocate(bytes, 16);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block) % 16, 0u);
    std::memset(block, 0xab, bytes);
    const std::size_t kept = blocks.kept_bytes();
    blocks.deallocate(block, bytes, 16);
    const bool is_kept = bytes >= LargeBlocks::kLeast && bytes <= LargeBlocks::kLargest;
    if (is_kept) {
      EXPECT_GE(blocks.kept_bytes() - kept, bytes);
      EXPECT_LE(blocks.kept_bytes() - kept, bytes / 4 * 5 + 8) << "a block is at most a quarter too large";
    } else {
      EXPECT_EQ(blocks.kept_bytes(), kept);
    }
  }
}

TEST(LargeBlocks, AGivenBackBlockServesTheNextOfItsSize) {
  LargeBlocks blocks(kPlenty);
  void* const first = blocks.allocate(100'000, 8);
  void* const second = blocks.allocate(100'000, 8);
  EXPECT_NE(first, second);
  blocks.deallocate(first, 100'000, 8);
  EXPECT_NE(blocks.kept_bytes(), 0u);
  EXPECT_NE(blocks.allocate(400'000, 8), first);
  EXPECT_EQ(blocks.allocate(99'000, 8), first);
  EXPECT_EQ(blocks.kept_bytes(), 0u);
  blocks.deallocate(first, 99'000, 8);
  blocks.deallocate(second, 100'000, 8);
}

TEST(LargeBlocks, NoMoreAreKeptThanMayBe) {
  LargeBlocks blocks(1'000'000);
  std::vector<void*> held;
  for (int i = 0; i < 20; ++i) held.push_back(blocks.allocate(LargeBlocks::kLeast, 8));
  for (void* const block : held) {
    blocks.deallocate(block, LargeBlocks::kLeast, 8);
    EXPECT_LE(blocks.kept_bytes(), 1'000'000u);
  }
  EXPECT_EQ(blocks.kept_bytes(), 1'000'000 / LargeBlocks::kLeast * LargeBlocks::kLeast);
}

// Each writes its number all over what it holds, and reads it again.
TEST(LargeBlocks, NoneIsHandedToTwo) {
  LargeBlocks blocks(std::size_t{4} << 20);
  const auto use = [&blocks](unsigned char number) {
    struct Held {
      unsigned char* block;
      std::size_t bytes;
    };
    std::mt19937 random(number);
    std::vector<Held> held;
    for (int i = 0; i < 2000; ++i) {
      if (held.size() < 8) {
        const std::size_t bytes = LargeBlocks::kLeast + random() % 3 * LargeBlocks::kLeast;
        held.push_back({static_cast<unsigned char*>(blocks.allocate(bytes, 8)), bytes});
        for (std::size_t at = 0; at < bytes; at += 4096) held.back().block[at] = number;
      } else {
        const Held one = held[random() % 8];
        std::erase_if(held, [&](const Held& other) { return other.block == one.block; });
        for (std::size_t at = 0; at < one.bytes; at += 4096) ASSERT_EQ(one.block[at], number);
        blocks.deallocate(one.block, one.bytes, 8);
      }
    }
    for (const Held& one : held) blocks.deallocate(one.block, one.bytes, 8);
  };
  std::vector<std::thread> threads;
  for (unsigned char number = 1; number <= 4; ++number) threads.emplace_back(use, number);
  for (std::thread& thread : threads) thread.join();
}

TEST(LargeVector, HoldsWhatAVectorHolds) {
  LargeVector<int> numbers;
  for (int i = 0; i < 100'000; ++i) numbers.push_back(i);
  const LargeVector<int> copy = numbers;
  numbers.clear();
  for (int i = 0; i < 100'000; ++i) ASSERT_EQ(copy[static_cast<std::size_t>(i)], i);
}

}  // namespace
}  // namespace heddle
