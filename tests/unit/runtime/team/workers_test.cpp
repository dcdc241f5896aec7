#include "team/workers.hpp"
#include "region/barrier.hpp"
#include "region/fork_join.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace heddle {
namespace {

bool soon(auto&& holds) {
  for (int i = 0; i < 5000 && !holds(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return holds();
}

TEST(Workers, AreReleasedAndStartedAnew) {
  const auto count = [](Member& me, void* total) {
    if (me.number == 0) *static_cast<int*>(total) = me.team_size;
  };
  for (int round = 0; round < 30; ++round) {
    int size = 0;
    parallel(4, count, &size);
    EXPECT_EQ(size, 4);
    EXPECT_GE(known_threads(), 4);
    EXPECT_TRUE(release_threads());
    EXPECT_TRUE(soon([] { return known_threads() == 1; }));
  }
}

TEST(Workers, AreNotReleasedInsideARegion) {
  parallel(2, [](Member&, void*) { EXPECT_FALSE(release_threads()); }, nullptr);
}

TEST(Workers, ThatServeAnotherThreadStay) {
  std::thread other([] {
    parallel(
        3,
        [](Member& me, void*) {
          if (me.number == 0) {
            std::thread releasing([] { EXPECT_TRUE(release_threads()); });
            releasing.join();
          }
          barrier(me);
        },
        nullptr);
  });
  other.join();
}

}  // namespace
}  // namespace heddle
