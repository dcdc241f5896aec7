#include "icv/text.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(SettingsText, NumbersStandAlone) {
  EXPECT_EQ(parse_int(" 42 ", 0, 100), 42);
  EXPECT_EQ(parse_int("+7", 0, 100), 7);
  for (const char* bad : {"", " ", "4 2", "0x10", "1e3", "101", "-1", "++1", "+-1"})
    EXPECT_FALSE(parse_int(bad, 0, 100)) << bad;
}

TEST(SettingsText, TruthsIgnoreCase) {
  EXPECT_EQ(parse_bool(" TRUE "), true);
  EXPECT_EQ(parse_bool("False"), false);
  EXPECT_FALSE(parse_bool("truee"));
  for (const char* word : {"1", "on", "Yes", ".TRUE.", ".t."}) EXPECT_EQ(parse_bool(word), true) << word;
  for (const char* word : {"0", "off", "No", ".FALSE.", ".f."}) EXPECT_EQ(parse_bool(word), false) << word;
}

TEST(SettingsText, ListsKeepEmptyPieces) {
  EXPECT_EQ(split("a, b ,,c", ','), (std::vector<std::string_view>{"a", "b", "", "c"}));
  EXPECT_EQ(split("", ','), std::vector<std::string_view>{""});
}

TEST(SettingsText, ListsAreUnderstoodInFullOrNotAtAll) {
  const auto digits = [](std::string_view piece) { return parse_int(piece, 0, 9); };
  EXPECT_EQ(parse_list("1, 2,3", digits), (std::vector<int>{1, 2, 3}));
  EXPECT_FALSE(parse_list("1,20,3", digits));
  EXPECT_FALSE(parse_list("", digits));
}

}  // namespace
}  // namespace heddle
