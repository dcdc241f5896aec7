// The rules of OpenMP 5.2, section 10.1.3, on places that are only numbers.
#include "team/placement.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace heddle {
namespace {

std::vector<int> places_of(const std::vector<Spot>& spots) {
  std::vector<int> places;
  for (const Spot& spot : spots) places.push_back(spot.place);
  return places;
}

using Places = std::vector<int>;

TEST(PlacementTest, PrimaryKeepsAllThreadsWhereTheEncounteringThreadIs) {
  const auto spots = distribute_threads(ProcBind::kPrimary, 3, {2, 6}, 5);
  EXPECT_EQ(places_of(spots), (Places{5, 5, 5}));
  for (const Spot& spot : spots) EXPECT_EQ(spot.partition, (Partition{2, 6}));
}

TEST(PlacementTest, CloseGoesOnFromThePrimaryPlaceAndWrapsAroundInThePartition) {
  const auto spots = distribute_threads(ProcBind::kClose, 4, {2, 4}, 4);
  EXPECT_EQ(places_of(spots), (Places{4, 5, 2, 3}));
  for (const Spot& spot : spots) EXPECT_EQ(spot.partition, (Partition{2, 4}));
}

TEST(PlacementTest, CloseWithMoreThreadsThanPlacesSharesThemInRunsOfConsecutiveThreads) {
  // Seven on three: runs of three, two and two, the first on the primary thread's place.
  const auto spots = distribute_threads(ProcBind::kClose, 7, {0, 3}, 1);
  EXPECT_EQ(places_of(spots), (Places{1, 1, 1, 2, 2, 0, 0}));
}

TEST(PlacementTest, SpreadCutsThePartitionAndPutsEachThreadAtTheStartOfItsPart) {
  const auto spots = distribute_threads(ProcBind::kSpread, 3, {0, 8}, 0);
  EXPECT_EQ(places_of(spots), (Places{0, 3, 6}));
  EXPECT_EQ(spots[0].partition, (Partition{0, 3}));
  EXPECT_EQ(spots[1].partition, (Partition{3, 3}));
  EXPECT_EQ(spots[2].partition, (Partition{6, 2}));
}

TEST(PlacementTest, SpreadLeavesThePrimaryThreadOnItsPlaceAndBeginsWithThePartThatHoldsIt) {
  const auto spots = distribute_threads(ProcBind::kSpread, 2, {4, 8}, 10);
  EXPECT_EQ(places_of(spots), (Places{10, 4}));
  EXPECT_EQ(spots[0].partition, (Partition{8, 4}));
  EXPECT_EQ(spots[1].partition, (Partition{4, 4}));
}

TEST(PlacementTest, SpreadWithMoreThreadsThanPlacesLeavesEachOnePlaceOfItsOwn) {
  const auto spots = distribute_threads(ProcBind::kSpread, 5, {0, 2}, 0);
  EXPECT_EQ(places_of(spots), (Places{0, 0, 0, 1, 1}));
  for (const Spot& spot : spots) EXPECT_EQ(spot.partition, (Partition{spot.place, 1}));
}

TEST(PlacementTest, NoPlaceGetsTwoThreadsMoreThanAnother) {
  for (const ProcBind policy : {ProcBind::kTrue, ProcBind::kClose, ProcBind::kSpread})
    for (int places = 1; places <= 9; ++places)
      for (int threads = 1; threads <= 20; ++threads)
        for (int primary = 0; primary < places; ++primary) {
          const auto spots = distribute_threads(policy, threads, {0, places}, primary);
          ASSERT_EQ(spots.size(), static_cast<std::size_t>(threads));
          ASSERT_EQ(spots[0].place, primary);
          std::vector<int> load(static_cast<std::size_t>(places));
          for (const Spot& spot : spots) {
            ASSERT_GE(spot.place, spot.partition.first);
            ASSERT_LT(spot.place, spot.partition.first + spot.partition.count);
            ++load[static_cast<std::size_t>(spot.place)];
          }
          EXPECT_LE(*std::max_element(load.begin(), load.end()), (threads + places - 1) / places);
        }
}

}  // namespace
}  // namespace heddle
