#include "amr/io/options.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "program/user_error.hpp"

namespace heddle::amr {
namespace {

constexpr std::array<VariantName, 2> kVariants{{{"serial", "in order"}, {"loop", "in loops"}}};

Parsed parse(std::initializer_list<const char*> options) {
  std::vector<const char*> argv{"heddle-amr"};
  argv.insert(argv.end(), options);
  return parse_options(static_cast<int>(argv.size()), argv.data(), kVariants);
}

std::string complaint(std::initializer_list<const char*> options) {
  try {
    (void)parse(options);
  } catch (const program::UserError& e) {
    return e.what();
  }
  return "";
}

TEST(Options, DefaultsAreThoseOfTheReference) {
  const Settings s = parse({}).settings;
  EXPECT_EQ(s.cells, (std::array{10, 10, 10}));
  EXPECT_EQ(s.max_blocks, 500);
  EXPECT_EQ(s.num_refine, 5);
  EXPECT_EQ(s.block_change, 5);
  EXPECT_EQ(s.num_vars, 40);
  EXPECT_EQ(s.comm_vars, 40);
  EXPECT_EQ(s.report_perf, 12);
  EXPECT_EQ(s.error_tol, 8);
}

TEST(Options, ObjectsTakeFourteenValuesWithSigns) {
  const Settings s = parse({"--num_objects", "1", "--object", "2", "0", "-1.1", "-1.1", "-1.1", "0.06",
                            "0.06", "0.06", "1.1", "1.1", "1.1", "0", "0", "-5e-1", "--nx", "8"})
                         .settings;
  ASSERT_EQ(s.objects.size(), 1U);
  EXPECT_EQ(s.objects[0].centre[0], -1.1);
  EXPECT_EQ(s.objects[0].inc[2], -0.5);
  EXPECT_EQ(s.cells[0], 8);
}

TEST(Options, TheLastOccurrenceWins) {
  EXPECT_EQ(parse({"--num_vars", "3", "--num_vars", "9"}).settings.num_vars, 9);
}

TEST(Options, WhatCannotRunIsRefusedWithTheOptionNamed) {
  EXPECT_NE(complaint({"--nx", "5"}).find("--nx"), std::string::npos);
  EXPECT_NE(complaint({"--nx"}).find("--nx needs a value"), std::string::npos);
  EXPECT_NE(complaint({"--foo"}).find("'--foo'"), std::string::npos);
  EXPECT_NE(complaint({"--npx", "2", "--npz", "4"}).find("is 2 x 1 x 4 = 8, but 1 rank was"),
            std::string::npos);
  EXPECT_NE(complaint({"--refine_freq", "0"}).find("--refine_freq"), std::string::npos);
  EXPECT_NE(complaint({"--halo", "planes"}).find("give faces or ghosts"), std::string::npos);
  EXPECT_NE(complaint({"--variant", "fast"}).find("serial, loop"), std::string::npos);
  EXPECT_NE(complaint({"--max_blocks", "2", "--init_x", "3"}).find("--max_blocks 3"), std::string::npos);
  EXPECT_NE(complaint({"--uniform_refine", "1", "--num_refine", "2", "--max_blocks", "64"}).find("65"),
            std::string::npos);
}

TEST(Options, GhostsAreKeptWhereAStageLeavesSomeThatItReads) {
  const auto keeps = [](std::initializer_list<const char*> options) {
    return parse(options).settings.keeps_ghosts();
  };
  EXPECT_FALSE(keeps({}));
  EXPECT_FALSE(keeps({"--comm_vars", "3", "--permute"}));
  EXPECT_TRUE(keeps({"--stencil", "27"}));
  EXPECT_FALSE(keeps({"--stencil", "27", "--code", "1", "--comm_vars", "3", "--permute"}));
  EXPECT_FALSE(keeps({"--stencil", "27", "--num_refine", "0"}));
  EXPECT_TRUE(keeps({"--stencil", "27", "--num_refine", "0", "--permute"}));
  EXPECT_FALSE(keeps({"--stencil", "0", "--code", "2", "--comm_vars", "0"}));
  EXPECT_TRUE(keeps({"--stencil", "0", "--code", "2", "--comm_vars", "39"}));
}

TEST(Options, OptionsWithoutEffectAreRefused) {
  EXPECT_NE(complaint({"--keep", "3"}).find("--keep has no effect without --checkpoint_freq"),
            std::string::npos);
  EXPECT_NE(complaint({"--plot_vars", "3"}).find("without --plot_freq and --plot_format amrex"),
            std::string::npos);
  EXPECT_EQ(complaint({"--send_faces", "--lb_opt", "2"}), "");  // the reference's, on one rank
}

TEST(Options, ObjectsMustBeAnnouncedFirstAndBeAsManyAsAnnounced) {
  EXPECT_NE(complaint({"--num_objects", "1"}).find("0 --object were given"), std::string::npos);
  EXPECT_NE(complaint({"--object", "1", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0"})
                .find("first"),
            std::string::npos);
  EXPECT_NE(complaint({"--num_objects", "1", "--object", "1", "0", "0"}).find("14 values"),
            std::string::npos);
}

TEST(Options, ComplaintsAreOneLine) {
  for (const auto& text : {complaint({"--nx", "x"}), complaint({"--stencil", "9"}),
                           complaint({"--num_objects", "1", "--object"})}) {
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text.find('\n'), std::string::npos);
  }
}

TEST(Options, HelpNamesEveryVariant) {
  const Parsed parsed = parse({"--help"});
  ASSERT_TRUE(parsed.text.has_value());
  for (const VariantName& v : kVariants) EXPECT_NE(parsed.text->find(v.name), std::string::npos);
}

}  // namespace
}  // namespace heddle::amr
