// What it costs to get a cache line, by who has it; and in which order stores leave a processor.
#include "cache_lines.hpp"

#include <gtest/gtest.h>

#include "store_buffer.hpp"

namespace heddle::machine {
namespace {

// Two sockets of two caches of two processors: 0 and 1 share a cache, 0 to 3 a socket.
class CacheLinesTest : public testing::Test {
 protected:
  Description machine_ =
      Description::parse("processors=8 caches=4 sockets=2 own=1 near=10 far=30 remote=100 memory=70");
  CacheLines lines_{machine_};

  static constexpr std::uintptr_t kLine = 0x10000;
  Time read(int processor, Time now = 0, std::uintptr_t address = kLine) {
    return lines_.read(processor, address, now * kNanosecond).until / kNanosecond - now;
  }
  Time write(int processor, Time now = 0, std::uintptr_t address = kLine) {
    return lines_.write(processor, address, now * kNanosecond).until / kNanosecond - now;
  }
};

TEST_F(CacheLinesTest, TheFirstAccessComesFromMemoryAndTheNextFromTheOwnCache) {
  EXPECT_EQ(read(0), 70);
  EXPECT_EQ(read(0, 100), 0);
  EXPECT_EQ(write(0, 200), 0) << "nobody else has it: MESI's E becomes M";
}

TEST_F(CacheLinesTest, ALineComesFromTheNearestCacheThatHasIt) {
  write(0);
  EXPECT_EQ(read(1, 1000), 10);
  EXPECT_EQ(read(2, 2000), 30);
  EXPECT_EQ(read(4, 3000), 100);
  EXPECT_EQ(read(5, 4000), 10) << "4 has it by now";
}

TEST_F(CacheLinesTest, AWriteTakesTheLineFromAllReadersAndWaitsForTheFarthest) {
  write(0);
  read(1, 1000), read(2, 1000), read(4, 1000);
  EXPECT_EQ(write(1, 2000), 100);
  EXPECT_EQ(write(1, 3000), 0);
  EXPECT_EQ(read(0, 4000), 10);
  EXPECT_EQ(write(1, 5000), 10) << "a reader has it again";
}

TEST_F(CacheLinesTest, TransfersOfALineQueueAndThoseOfOthersDoNot) {
  write(0);
  write(0, 0, kLine + CacheLines::kLineBytes);
  EXPECT_EQ(read(1, 1000), 10);
  EXPECT_EQ(read(2, 1000), 10 + 30);
  EXPECT_EQ(write(4, 1000), 10 + 30 + 100);
  EXPECT_EQ(read(5, 1000), 10 + 30 + 100 + 10);
  EXPECT_EQ(read(1, 1000, kLine + CacheLines::kLineBytes), 10);
}

TEST_F(CacheLinesTest, TwoWordsOfALineAreOneLine) {
  write(0, 0, kLine);
  EXPECT_EQ(write(1, 1000, kLine + CacheLines::kLineBytes - 1), 10);
  EXPECT_EQ(read(0, 2000), 10);
}

TEST(StoreBuffer, StoresLeaveInOrder) {
  StoreBuffer stores;
  EXPECT_EQ(stores.is_empty(7), 7);
  stores.enter(100);
  stores.enter(50);
  EXPECT_EQ(stores.is_empty(7), 100);
  EXPECT_EQ(stores.is_empty(200), 200);
}

TEST(StoreBuffer, AStoreWaitsWhereTheBufferIsFull) {
  StoreBuffer stores;
  for (Time store = 1; store <= 64; ++store) {
    EXPECT_EQ(stores.has_room(0), 0) << store;
    stores.enter(1000 + store);
  }
  EXPECT_EQ(stores.has_room(0), 1001);
  EXPECT_EQ(stores.has_room(5000), 5000);
}

}  // namespace
}  // namespace heddle::machine
