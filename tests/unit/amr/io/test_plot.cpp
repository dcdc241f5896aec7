#include "amr/io/plot.hpp"

#include <gtest/gtest.h>

namespace heddle::amr {
namespace {

TEST(Plot, NamesHaveOneDigitMoreThanTheStepsNeed) {
  EXPECT_EQ(plot_file_name(0, 4), "plot.00");
  EXPECT_EQ(plot_file_name(6, 12), "plot.006");
  EXPECT_EQ(plot_file_name(3, 10), "plot.03");
  EXPECT_EQ(plot_file_name(3, 20), "plot.003");
}

TEST(Plot, TextHasTotalsAndCentresInMeshUnits) {
  const BlockTree tree(Geometry({2, 1, 1}, 1));
  EXPECT_EQ(plot_text(tree), "2 1 2 1 1\n2\n0 6 2 2\n0 2 2 2\n");
}

}  // namespace
}  // namespace heddle::amr
