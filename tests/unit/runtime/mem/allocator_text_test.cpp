#include "mem/allocator_text.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(AllocatorText, NamesAPredefinedAllocator) {
  const auto text = parse_allocator(" OMP_cgroup_mem_alloc ");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->predefined, kContentionGroupAllocator);
  EXPECT_EQ(make_allocator(*text), kContentionGroupAllocator);
}

TEST(AllocatorText, NamesASpaceWithEveryTrait) {
  const auto text = parse_allocator(
      "omp_low_lat_mem_space : sync_hint=private, alignment=64, access=pteam, pool_size=4096, "
      "fallback=allocator_fb, "
      "fb_data=omp_const_mem_alloc, pinned=false, partition=nearest");
  ASSERT_TRUE(text);
  EXPECT_EQ(text->predefined, kNullAllocator);
  EXPECT_EQ(text->space, MemorySpace::kLowLatency);
  const std::vector<std::pair<TraitKey, std::uintptr_t>> expected{{TraitKey::kSyncHint, kPrivate},
                                                                  {TraitKey::kAlignment, 64},
                                                                  {TraitKey::kAccess, kTeam},
                                                                  {TraitKey::kPoolSize, 4096},
                                                                  {TraitKey::kFallback, kAllocatorFallback},
                                                                  {TraitKey::kFallbackData, kConstAllocator},
                                                                  {TraitKey::kPinned, kFalse},
                                                                  {TraitKey::kPartition, kNearest}};
  ASSERT_EQ(text->traits.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(text->traits[i].key, expected[i].first);
    EXPECT_EQ(text->traits[i].value, expected[i].second);
  }
  const AllocatorHandle made = make_allocator(*text);
  EXPECT_GT(made, kThreadAllocator);
  destroy_allocator(made);
}

class BadAllocatorText : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Texts, BadAllocatorText,
                         ::testing::Values("", "omp_null_allocator", "omp_default_mem",
                                           "omp_default_mem_space:", "omp_default_mem_space:alignment",
                                           "omp_default_mem_space:alignment=x",
                                           "omp_default_mem_space:access=contended",
                                           "omp_default_mem_space:pinned=maybe",
                                           "omp_default_mem_space:pinned=true,",
                                           "omp_default_mem_alloc:pinned=true"));

TEST_P(BadAllocatorText, IsNotUnderstood) {
  EXPECT_FALSE(parse_allocator(GetParam()));
}

}  // namespace
}  // namespace heddle
