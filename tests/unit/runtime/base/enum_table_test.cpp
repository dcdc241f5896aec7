#include "base/enum_table.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

enum class Colour { kRed, kGreen };
constexpr EnumTable<Colour, 2> kColours{{{Colour::kRed, "red"}, {Colour::kGreen, "green"}}};

TEST(EnumTable, EveryEntryGoesRoundFromValueToNameAndBack) {
  for (const auto& entry : kColours) EXPECT_EQ(parse(kColours, name_of(kColours, entry.value)), entry.value);
  EXPECT_TRUE(is_bijective(kColours));
}

TEST(EnumTable, ParsingIgnoresCaseAndRefusesTheRest) {
  EXPECT_EQ(parse(kColours, "GrEeN"), Colour::kGreen);
  EXPECT_EQ(parse(kColours, "gree"), std::nullopt);
  EXPECT_EQ(parse(kColours, ""), std::nullopt);
}

TEST(EnumTable, ListsItsNamesForMessages) {
  EXPECT_EQ(names_of(kColours), "red, green");
}

}  // namespace
}  // namespace heddle
