#include "icv/place_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle {
namespace {

using ::testing::ElementsAre;

std::vector<ProcessorSet> places(std::string_view text) {
  const auto list = parse_place_list(text);
  return list ? list->places : std::vector<ProcessorSet>{};
}

TEST(PlaceList, TakesAbstractNamesWithAndWithoutCount) {
  const auto cores = parse_place_list(" Cores ( 4 ) ");
  ASSERT_TRUE(cores && cores->abstract);
  EXPECT_EQ(*cores->abstract, AbstractPlace::kCores);
  EXPECT_EQ(cores->count, 4);
  const std::pair<const char*, AbstractPlace> names[] = {{"threads", AbstractPlace::kThreads},
                                                         {"ll_caches", AbstractPlace::kLastLevelCaches},
                                                         {"numa_domains", AbstractPlace::kNumaDomains},
                                                         {"sockets", AbstractPlace::kSockets}};
  for (const auto& [name, expected] : names) {
    const auto list = parse_place_list(name);
    ASSERT_TRUE(list && list->abstract) << name;
    EXPECT_EQ(*list->abstract, expected);
    EXPECT_EQ(list->count, 0);
  }
}

// The three ways in which the standard's section 21.1.6 spells the same places.
TEST(PlaceList, TakesTheStandardsExamples) {
  const auto spelt = places("{0,1,2,3},{4,5,6,7},{8,9,10,11},{12,13,14,15}");
  ASSERT_EQ(spelt.size(), 4u);
  EXPECT_EQ(places("{0:4},{4:4},{8:4},{12:4}"), spelt);
  EXPECT_EQ(places("{0:4}:4:4"), spelt);
}

TEST(PlaceList, TakesStridesOfProcessorsAndOfPlaces) {
  EXPECT_THAT(places("{0:3:2}"), ElementsAre(ElementsAre(0, 2, 4)));
  EXPECT_THAT(places("{6:3:-3}"), ElementsAre(ElementsAre(0, 3, 6)));
  EXPECT_THAT(places("{4,5}:3:-2"), ElementsAre(ElementsAre(4, 5), ElementsAre(2, 3), ElementsAre(0, 1)));
  EXPECT_THAT(places(" { 1 } : 2 "), ElementsAre(ElementsAre(1), ElementsAre(2)));
}

TEST(PlaceList, TakesSingleProcessorsWithoutBraces) {
  EXPECT_THAT(places("3,1"), ElementsAre(ElementsAre(3), ElementsAre(1)));
  EXPECT_THAT(places("0:3:2"), ElementsAre(ElementsAre(0), ElementsAre(2), ElementsAre(4)));
}

TEST(PlaceList, SortsProcessorsAndDropsDoubleOnes) {
  EXPECT_THAT(places("{3,1,2,1}"), ElementsAre(ElementsAre(1, 2, 3)));
}

TEST(PlaceList, ExcludesProcessorsAndPlaces) {
  EXPECT_THAT(places("{0:4,!2}"), ElementsAre(ElementsAre(0, 1, 3)));
  EXPECT_THAT(places("{0}:4,!{2}"), ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(3)));
}

TEST(PlaceList, TakesGccsListOfProcessors) {
  const auto in_order = [](const char* text) { return parse_processor_list(text).value().places; };
  EXPECT_THAT(in_order("0 3 1-2 4-15:5"),
              ElementsAre(ElementsAre(0), ElementsAre(3), ElementsAre(1), ElementsAre(2), ElementsAre(4),
                          ElementsAre(9), ElementsAre(14)));
  EXPECT_THAT(in_order("1,0"), ElementsAre(ElementsAre(1), ElementsAre(0)));
  for (const char* wrong : {"", "x", "0-", "2-1", "0-4:0", "-1", "0;1", "0-65536"})
    EXPECT_FALSE(parse_processor_list(wrong)) << wrong;
}

class BadPlaceList : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Texts, BadPlaceList,
                         ::testing::Values("", "{", "{}", "{0", "0}", "{0},", ",{0}", "{0}{1}", "{0:0}",
                                           "{0:-1}", "{0:2:}", "{-1}", "{1:3:-1}", "{0}:3:-1", "{a}", "chips",
                                           "cores(0)", "cores(", "cores(2", "cores(2)x", "cores,threads",
                                           "{0:1000000000}", "{0}:99999999999", "{65536}", "!{0}", "{0},!{0}",
                                           "{0:2,!0,!1}", "{0}:60000,{0}:60000"));

TEST_P(BadPlaceList, IsNotUnderstood) {
  EXPECT_FALSE(parse_place_list(GetParam()));
}

}  // namespace
}  // namespace heddle
