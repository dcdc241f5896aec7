// What this program and its libraries are linked with, as the dynamic linker knows it.
#include "sys/loaded_objects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <vector>

extern "C" {
void heddle_test_defined_and_used_here();
[[gnu::weak]] void heddle_test_defined_nowhere();
}

extern "C" [[gnu::noinline]] void heddle_test_defined_and_used_here() {
  asm volatile("");
}

namespace heddle {
namespace {

bool any_needs(std::initializer_list<const char*> functions) {
  const std::vector<const char*> names(functions);
  return any_object_needs(names);
}

TEST(LoadedObjects, NeedWhatTheyTakeFromLibraries) {
  EXPECT_TRUE(any_needs({"malloc"}));
  EXPECT_TRUE(any_needs({"__cxa_throw"}));
}

TEST(LoadedObjects, DoNotNeedWhatNobodyNames) {
  EXPECT_FALSE(any_needs({"heddle_test_of_which_nobody_has_heard"}));
  EXPECT_FALSE(any_needs({}));
}

TEST(LoadedObjects, DoNotNeedWhatTheyDefineThemselves) {
  heddle_test_defined_and_used_here();
  EXPECT_FALSE(any_needs({"heddle_test_defined_and_used_here"}));
}

TEST(LoadedObjects, NeedOneOfSeveral) {
  EXPECT_TRUE(any_needs({"heddle_test_of_which_nobody_has_heard", "malloc"}));
  EXPECT_TRUE(any_needs({"malloc", "heddle_test_of_which_nobody_has_heard"}));
}

// Whole names count: no beginnings and no ends of others.
TEST(LoadedObjects, DoNotNeedPartsOfNames) {
  EXPECT_FALSE(any_needs({"__cxa_thro"}));
  EXPECT_FALSE(any_needs({"_cxa_throw"}));
  EXPECT_FALSE(any_needs({""}));
}

// Programs name the functions of heddle.h weakly: they start without them.
TEST(LoadedObjects, NeedWhatTheyNameWeakly) {
  void (*volatile function)() = &heddle_test_defined_nowhere;
  EXPECT_EQ(function, nullptr);
  EXPECT_TRUE(any_needs({"heddle_test_defined_nowhere"}));
}

TEST(LoadedObjects, SayWhatTheyNeedByTheBeginningOfItsName) {
  const std::vector<const char*> prefixes{"__cxa_th"};
  const std::vector<Need> needs = needs_beginning_with(prefixes);
  const auto is_of_program = [](const Need& need) {
    return need.object.empty() && need.function == "__cxa_throw";
  };
  EXPECT_TRUE(std::ranges::any_of(needs, is_of_program));
  EXPECT_TRUE(std::ranges::all_of(needs, is_served));
  EXPECT_FALSE(is_served({"", "heddle_test_of_which_nobody_has_heard"}));
  EXPECT_TRUE(needs_beginning_with(std::vector<const char*>{"heddle_test_defined_nowhere"}).empty())
      << "weak";
}

TEST(LoadedObjects, AreFoundByAnAddressInThem) {
  const std::vector<const char*> ours{"__cxa_throw"};
  static const int data = 1;
  EXPECT_TRUE(object_needs(reinterpret_cast<const void*>(&any_needs), ours));
  EXPECT_TRUE(object_needs(&data, ours));
  EXPECT_FALSE(object_needs(reinterpret_cast<const void*>(&std::strlen), ours)) << "the C library";
  EXPECT_FALSE(object_needs(nullptr, ours));
}

TEST(LoadedObjects, AreCounted) {
  const std::uint64_t before = objects_loaded();
  EXPECT_GT(before, 0U);
  EXPECT_EQ(objects_loaded(), before);
  const Library library = load_library("libutil.so.1");
  ASSERT_NE(library.handle, nullptr) << library.error;
  EXPECT_EQ(objects_loaded(), before + 1);
  unload(library);
}

}  // namespace
}  // namespace heddle
