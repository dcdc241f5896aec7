#include "sched/spawn_policy.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

// How often it is left out before the next trial.
int left_out(GrowingPause& pause) {
  int times = 0;
  while (!pause.is_over()) ++times;
  return times;
}

TEST(GrowingPause, DoublesUntilItIsOfUse) {
  GrowingPause pause(2, 16);
  EXPECT_EQ(left_out(pause), 0);
  for (const int expected : {2, 4, 8, 16, 16}) {
    pause.was_in_vain();
    EXPECT_EQ(left_out(pause), expected);
  }
  pause.was_of_use();
  EXPECT_EQ(left_out(pause), 0);
  pause.was_in_vain();
  EXPECT_EQ(left_out(pause), 2);
}

TEST(GrowingPause, GrowsAtLeastByWhatWasLost) {
  GrowingPause pause(2, 100, false);
  EXPECT_EQ(left_out(pause), 2) << "it begins with a pause";
  pause.was_in_vain(30);
  EXPECT_EQ(left_out(pause), 30);
  pause.was_in_vain(10);
  EXPECT_EQ(left_out(pause), 60) << "twice the last";
  pause.was_in_vain(1'000'000);
  EXPECT_EQ(left_out(pause), 100);
  pause.was_of_use();
  pause.begin_again();
  EXPECT_EQ(left_out(pause), 2);
}

}  // namespace
}  // namespace heddle
