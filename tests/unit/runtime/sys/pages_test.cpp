#include "sys/memory.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace heddle {
namespace {

TEST(Pages, AreZeroAndWritableHoweverPlaced) {
  for (const PagePlacement placement :
       {PagePlacement::kFirstTouch, PagePlacement::kInterleaved, PagePlacement::kBlocked}) {
    constexpr std::size_t kBytes = 123'457;
    auto* pages = static_cast<char*>(map_pages(kBytes, placement, false));
    ASSERT_NE(pages, nullptr);
    EXPECT_EQ(pages[0], 0);
    EXPECT_EQ(pages[kBytes - 1], 0);
    std::memset(pages, 1, kBytes);
    unmap_pages(pages, kBytes);
  }
}

TEST(Pages, AreRefusedWhereThereAreNotSoMany) {
  EXPECT_EQ(map_pages(SIZE_MAX, PagePlacement::kFirstTouch, false), nullptr);
  EXPECT_EQ(map_pages(SIZE_MAX / 2, PagePlacement::kFirstTouch, false), nullptr);
}

}  // namespace
}  // namespace heddle
