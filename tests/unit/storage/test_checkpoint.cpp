#include "storage/checkpoint.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "program/user_error.hpp"
#include "program/whole_file.hpp"
#include "tests/unit/storage/scratch.hpp"

namespace heddle::storage {
namespace {

using program::UserError;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

using Checkpoint = Scratch;

CheckpointHead head_of(std::vector<mesh::Key> keys) {
  CheckpointHead head;
  head.program = "test";
  head.ratio = 3;
  head.roots = {2, 1};
  head.deepest_level = 4;
  head.block_shape = {2, 3};
  head.state = R"({"step": 7})";
  head.keys = std::move(keys);
  return head;
}

std::vector<double> values_of(int leaf) {
  std::vector<double> values(6);
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = 0.1 * leaf + static_cast<double>(n) / 3.0;
  return values;
}

void write(const std::string& path, const CheckpointHead& head) {
  exchange::SerialCommunicator alone;
  const int leaves = static_cast<int>(head.keys.size());
  CheckpointWriter writer(path, head, leaves, alone);
  for (int leaf = leaves - 1; leaf >= 0; --leaf) {
    writer.write(leaf, [&](BlockValues& values) {  // in pieces, one of them empty
      values.room = values_of(leaf);
      const std::span<const double> all(values.room);
      values.pieces = {all.first(1), all.subspan(1, 0), all.subspan(1)};
    });
  }
  writer.finish();
}

std::string refusal(const std::string& path, const std::string& program = "test") {
  try {
    const CheckpointReader reader(path, program);
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

TEST_F(Checkpoint, GivesBackWhatWasWritten) {
  const CheckpointHead head = head_of({{0, 0, 0}, {81, 1, 2}, {90, 5, 2}});
  write(in("chk00007.h5"), head);
  const CheckpointReader reader(in("chk00007.h5"), "test");
  EXPECT_EQ(reader.head().ratio, 3);
  EXPECT_THAT(reader.head().roots, ElementsAre(2, 1));
  EXPECT_EQ(reader.head().deepest_level, 4);
  EXPECT_THAT(reader.head().block_shape, ElementsAre(2, 3));
  EXPECT_EQ(reader.head().state, head.state);
  EXPECT_EQ(reader.head().keys, head.keys);
  std::vector<double> values(reader.doubles());
  for (const int leaf : {1, 0, 2}) {
    reader.read(leaf, values);
    EXPECT_EQ(values, values_of(leaf));
  }
}

TEST_F(Checkpoint, IsNotThereBeforeItIsFinished) {
  {
    exchange::SerialCommunicator alone;
    CheckpointWriter writer(in("chk00001.h5"), head_of({{0, 0, 0}}), 1, alone);
    writer.write(0, [](BlockValues&) { throw UserError("bad block"); });
    EXPECT_THROW(writer.finish(), UserError);
    EXPECT_FALSE(std::filesystem::exists(in("chk00001.h5")));
    EXPECT_THAT(names(), ElementsAre(StartsWith("chk00001.h5.part.")));
  }
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Checkpoint, GivesManyToThreads) {
  write(in("chk00001.h5"), head_of({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}));
  const CheckpointReader reader(in("chk00001.h5"), "test");
  const std::vector<int> leaves{2, 0};
  std::vector<std::vector<double>> found(2);
  reader.read(leaves, in_turn,
              [&](int n, const std::vector<double>& values) { found[static_cast<std::size_t>(n)] = values; });
  EXPECT_THAT(found, ElementsAre(values_of(2), values_of(0)));
}

TEST_F(Checkpoint, SaysWhatIsNone) {
  EXPECT_THAT(refusal(in("none.h5")), HasSubstr("none.h5 does not exist; there is no other beside it"));
  std::ofstream(in("text.h5")) << "not HDF5";
  EXPECT_THAT(refusal(in("text.h5")), HasSubstr("text.h5 is no checkpoint"));
  write(in("chk00001.h5"), head_of({{0, 0, 0}}));
  EXPECT_THAT(refusal(in("chk00001.h5"), "other"), HasSubstr("chk00001.h5 is a checkpoint of test"));
}

TEST_F(Checkpoint, OffersTheNewestThatIsWhole) {
  for (const char* const name : {"chk00001.h5", "chk00002.h5", "chk00003.h5"})
    write(in(name), head_of({{0, 0, 0}}));
  for (const char* const name : {"chk00002.h5", "chk00003.h5"})
    std::filesystem::resize_file(in(name), std::filesystem::file_size(in(name)) - 1);
  EXPECT_THAT(refusal(in("chk00003.h5")), HasSubstr(in("chk00001.h5") + " is whole: give --restart"));
}

TEST_F(Checkpoint, NoFlippedByteOfValuesPasses) {
  write(in("chk00001.h5"), head_of({{0, 0, 0}, {1, 0, 0}}));
  std::ifstream whole(in("chk00001.h5"), std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(whole), {});
  const std::vector<double> first = values_of(0);
  const std::size_t block = first.size() * sizeof(double);
  const std::size_t begin = bytes.find(std::string(reinterpret_cast<const char*>(first.data()), block));
  ASSERT_NE(begin, std::string::npos);
  for (std::size_t at = begin; at < begin + 2 * block; ++at) {
    std::filesystem::copy_file(in("chk00001.h5"), in("bad.h5"),
                               std::filesystem::copy_options::overwrite_existing);
    std::fstream file(in("bad.h5"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const char byte = static_cast<char>(file.get() ^ 1);
    file.seekp(static_cast<std::streamoff>(at));
    file.put(byte);
    file.close();
    const CheckpointReader reader(in("bad.h5"), "test");
    std::vector<double> values(reader.doubles());
    const int leaf = at < begin + block ? 0 : 1;
    EXPECT_THROW(reader.read(leaf, values), UserError) << at;
    EXPECT_NO_THROW(reader.read(1 - leaf, values)) << at;
  }
}

TEST_F(Checkpoint, EarlierOnesGoAndOthersStay) {
  for (const int step : {2, 4, 6, 8}) write(checkpoint_path(in("chk"), step), head_of({{0, 0, 0}}));
  std::ofstream(in("chk5.h5")) << "not five digits";
  std::ofstream(in(program::unfinished_name("chk00007.h5", 15))) << "of a run that was killed";
  remove_old_checkpoints(in("chk"), 6, 2);
  EXPECT_THAT(names(), UnorderedElementsAre("chk00004.h5", "chk00006.h5", "chk00008.h5", "chk5.h5"));
}

TEST(DealOut, KeepsOwnersUnlessTheNumberOfRanksDiffers) {
  std::vector<mesh::Key> keys{{0, 1, 0}, {1, 0, 0}, {2, 1, 0}, {3, 0, 0}};
  const std::vector<mesh::Key> before = keys;
  deal_out(keys, 2);
  EXPECT_EQ(keys, before);
  deal_out(keys, 3);
  EXPECT_THAT(keys,
              ElementsAre(mesh::Key{0, 0, 0}, mesh::Key{1, 0, 0}, mesh::Key{2, 1, 0}, mesh::Key{3, 2, 0}));
}

}  // namespace
}  // namespace heddle::storage
