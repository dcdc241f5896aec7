#include "sched/growing_pause.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

// How often it is left out before the next trial.
template <class Pause>
int left_out(Pause& pause) {
  int times = 0;
  while (!pause.is_over()) ++times;
  return times;
}

TEST(GrowingPause, DoublesUntilItIsOfUse) {
  GrowingPause<2, 16> pause;
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

}  // namespace
}  // namespace heddle
