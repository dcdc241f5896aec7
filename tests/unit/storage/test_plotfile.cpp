#include "storage/plotfile.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "program/user_error.hpp"
#include "tests/unit/storage/scratch.hpp"

namespace heddle::storage {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

using Plotfile = Scratch;

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Two blocks of 3 x 6 cells, the first one refined by three: one component, the leaf's number and the
/// cell's.
PlotContent<2> content() {
  PlotContent<2> content;
  content.names = {"value"};
  content.cells = {3, 6};
  content.high = {2.0, 1.0};
  content.time = 0.5;
  content.step = 7;
  content.fill = [](int own, double* to) {
    for (int cell = 0; cell < 18; ++cell) to[cell] = 100.0 * own + cell;
  };
  return content;
}

mesh::BlockTree<2, 3> tree() {
  mesh::BlockTree<2, 3> tree(mesh::Geometry<2, 3>({2, 1}, 1));
  tree.apply({{0}, {}});
  return tree;
}

std::array<double, 54> values_of(const std::string& bytes, std::size_t at) {
  std::array<double, 54> values;  // three components of 18 cells
  std::memcpy(values.data(), bytes.data() + at, sizeof values);
  return values;
}

TEST_F(Plotfile, IsAsAmrexLaysItOut) {
  exchange::SerialCommunicator alone;
  write_plotfile<2, 3>(in("plt00007"), tree(), content(), alone, in_turn);
  EXPECT_THAT(text_of(in("plt00007/Header")),
              StartsWith("HyperCLaw-V1.1\n3\nvalue\nlevel\nowner\n2\n0.5\n1\n0 0\n2 1\n3\n"
                         "((0,0) (5,5) (0,0)) ((0,0) (17,17) (0,0))\n7 7\n"));
  EXPECT_THAT(text_of(in("plt00007/Header")), HasSubstr("\n0 2 0.5\n7\n0 1\n0 1\n1 2\n0 1\nLevel_0/Cell\n"));
  const std::string line =
      "FAB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))((0,0) (2,5) (0,0)) 3\n";
  const std::size_t box = line.size() + 3 * 18 * sizeof(double);
  const std::string boxes = text_of(in("plt00007/Level_0/Cell_H"));
  EXPECT_THAT(boxes,
              StartsWith(fmt::format("1\n1\n3\n0\n(2 0\n((0,0) (2,5) (0,0))\n((3,0) (5,5) (0,0))\n)\n2\n"
                                     "FabOnDisk: Cell_D_00000 0\nFabOnDisk: Cell_D_00000 {}\n\n2,3\n",
                                     box)));
  // Of the last leaf along the curve: the tenth.
  EXPECT_THAT(boxes, HasSubstr("  9.0000000000000000e+02,"));
  EXPECT_THAT(boxes, HasSubstr("  9.1700000000000000e+02,"));
  const std::string bytes = text_of(in("plt00007/Level_0/Cell_D_00000"));
  ASSERT_EQ(bytes.size(), 2 * box);
  EXPECT_THAT(bytes, StartsWith(line));
  const auto values = values_of(bytes, box + line.size());
  for (std::size_t cell = 0; cell < 18; ++cell) EXPECT_EQ(values[cell], 900.0 + static_cast<double>(cell));
  for (std::size_t cell = 18; cell < 54; ++cell) EXPECT_EQ(values[cell], 0.0);  // level, owner
}

TEST_F(Plotfile, HasMeansWhereFinerBoxesAre) {
  exchange::SerialCommunicator alone;
  write_plotfile<2, 3>(in("plt00007"), tree(), content(), alone, in_turn);
  const std::string bytes = text_of(in("plt00007/Level_0/Cell_D_00000"));
  const auto values = values_of(bytes, bytes.find('\n') + 1);
  // The first child has the cells 0 to 17, three along the first axis: a third of each axis of its parent's.
  EXPECT_EQ(values[0], (0.0 + 1 + 2 + 3 + 4 + 5 + 6 + 7 + 8) / 9);
  EXPECT_EQ(values[3], (9.0 + 10 + 11 + 12 + 13 + 14 + 15 + 16 + 17) / 9);
  for (std::size_t cell = 0; cell < 18; ++cell) EXPECT_EQ(values[18 + cell], 0.0);
}

TEST_F(Plotfile, WithoutRoomNothingIsThere) {
  exchange::SerialCommunicator alone;
  std::ofstream(in("file")) << "no folder";
  EXPECT_THROW((write_plotfile<2, 3>(in("file/plt00007"), tree(), content(), alone, in_turn)),
               program::UserError);
}

TEST_F(Plotfile, ErrorsOfOneLeafAreErrorsOfAll) {
  exchange::SerialCommunicator alone;
  PlotContent<2> bad = content();
  bad.fill = [](int own, double*) {
    if (own == 3) throw program::UserError("bad leaf");
  };
  EXPECT_THROW((write_plotfile<2, 3>(in("plt00007"), tree(), bad, alone, in_turn)), program::UserError);
  EXPECT_TRUE(names().empty());
}

TEST_F(Plotfile, ASeriesListsThem) {
  PlotSeries series(in("plt"));
  series.add({0, 0.0});
  series.add({12, 0.25});
  series.add({20, 0.5});
  series.add({12, 0.25});  // a run that goes on from step 10
  series.write();
  EXPECT_EQ(text_of(in("plt.visit")), "plt00000/Header\nplt00012/Header\n");
  EXPECT_THAT(text_of(in("plt.series")), HasSubstr("\"time\": 0.25"));
}

}  // namespace
}  // namespace heddle::storage
