#include "storage/plotfile.hpp"

#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "program/user_error.hpp"
#include "tests/storage/scratch.hpp"

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

/// Two blocks of 2 x 3 cells, the first one refined by three: one component, the leaf's number and the
/// cell's.
PlotContent<2> content() {
  PlotContent<2> content;
  content.names = {"value"};
  content.cells = {2, 3};
  content.high = {2.0, 1.0};
  content.time = 0.5;
  content.step = 7;
  content.fill = [](int own, double* to) {
    for (int cell = 0; cell < 6; ++cell) to[cell] = 100.0 * own + cell;
  };
  return content;
}

mesh::BlockTree<2, 3> tree() {
  mesh::BlockTree<2, 3> tree(mesh::Geometry<2, 3>({2, 1}, 1));
  tree.apply({{0}, {}});
  return tree;
}

TEST_F(Plotfile, IsAsAmrexLaysItOut) {
  exchange::SerialCommunicator alone;
  write_plotfile<2, 3>(in("plt00007"), tree(), content(), alone, in_turn);
  EXPECT_THAT(text_of(in("plt00007/Header")),
              StartsWith("HyperCLaw-V1.1\n3\nvalue\nlevel\nowner\n2\n0.5\n1\n0 0\n2 1\n3\n"
                         "((0,0) (3,2) (0,0)) ((0,0) (11,8) (0,0))\n7 7\n"));
  EXPECT_THAT(text_of(in("plt00007/Header")), HasSubstr("\n0 1 0.5\n7\n1 2\n0 1\nLevel_0/Cell\n"));
  const std::string boxes = text_of(in("plt00007/Level_0/Cell_H"));
  EXPECT_THAT(boxes,
              StartsWith("1\n1\n3\n0\n(1 0\n((2,0) (3,2) (0,0))\n)\n1\nFabOnDisk: Cell_D_00000 0\n\n1,3\n"));
  // Of the last leaf along the curve: the tenth.
  EXPECT_THAT(boxes, HasSubstr("  9.0000000000000000e+02,"));
  EXPECT_THAT(boxes, HasSubstr("  9.0500000000000000e+02,"));
  const std::string bytes = text_of(in("plt00007/Level_0/Cell_D_00000"));
  const std::string line =
      "FAB ((8, (64 11 52 0 1 12 0 1023)),(8, (8 7 6 5 4 3 2 1)))((2,0) (3,2) (0,0)) 3\n";
  ASSERT_EQ(bytes.size(), line.size() + 3 * 6 * sizeof(double));
  EXPECT_THAT(bytes, StartsWith(line));
  std::array<double, 18> values;
  std::memcpy(values.data(), bytes.data() + line.size(), sizeof values);
  for (int cell = 0; cell < 6; ++cell) EXPECT_EQ(values[static_cast<std::size_t>(cell)], 900.0 + cell);
  for (int cell = 6; cell < 18; ++cell)
    EXPECT_EQ(values[static_cast<std::size_t>(cell)], 0.0);  // level, owner
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
  EXPECT_FALSE(std::filesystem::exists(in("plt00007")));
  EXPECT_FALSE(std::filesystem::exists(in("plt00007.part")));
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
