#include "sys/affinity.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(ProcessorMask, HoldsWhatWasAddedAndNoMore) {
  ProcessorMask mask;
  EXPECT_GE(ProcessorMask::capacity(), 1024);
  for (const int processor : {0, 63, 64, ProcessorMask::capacity() - 1}) {
    EXPECT_FALSE(mask.contains(processor));
    mask.add(processor);
    EXPECT_TRUE(mask.contains(processor));
  }
  mask.remove(64);
  EXPECT_FALSE(mask.contains(64));
  EXPECT_TRUE(mask.contains(63));
}

TEST(ProcessorMask, GoesToTheThreadAndBack) {
  ProcessorMask before;
  ASSERT_TRUE(before.load_from_thread());
  int first = 0;
  while (!before.contains(first)) ++first;
  ProcessorMask one;
  one.add(first);
  ASSERT_TRUE(one.store_to_thread());
  ProcessorMask now;
  ASSERT_TRUE(now.load_from_thread());
  for (int i = 0; i < ProcessorMask::capacity(); ++i) EXPECT_EQ(now.contains(i), i == first);
  ASSERT_TRUE(before.store_to_thread());
}

TEST(ProcessorMask, IsRefusedWhenEmpty) {
  EXPECT_FALSE(ProcessorMask().store_to_thread());
}

}  // namespace
}  // namespace heddle
