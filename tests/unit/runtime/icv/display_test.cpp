#include "icv/display.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

TEST(DisplayEnvironment, BeginsEndsAndQuotesAsTheStandardSays) {
  Settings settings;
  settings.num_threads = {4, 3, 2};
  const std::string text = environment_text(settings, false);
  EXPECT_EQ(text.rfind("OPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP='201511'\n", 0), 0u);
  EXPECT_NE(text.find("\n  [host] OMP_NUM_THREADS='4,3,2'\n"), std::string::npos);
  EXPECT_NE(text.find("\n  [host] OMP_DYNAMIC='FALSE'\n"), std::string::npos);
  EXPECT_TRUE(text.ends_with("'\nOPENMP DISPLAY ENVIRONMENT END\n"));
}

TEST(DisplayEnvironment, LooksAsTheProgramsOwnRuntimeWritesIt) {
  Settings settings;
  settings.num_threads = {4};
  const std::string text = environment_text(settings, false, DisplayStyle::kGnu);
  EXPECT_EQ(text.rfind("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n  _OPENMP = '201511'\n", 0), 0u);
  EXPECT_NE(text.find("\n  [host] OMP_NUM_THREADS = '4'\n"), std::string::npos);
}

TEST(DisplayEnvironment, ShowsOurOwnVariablesOnlyWhenVerbose) {
  Settings settings;
  settings.spin_us = 7;
  EXPECT_EQ(environment_text(settings, false).find("HEDDLE_"), std::string::npos);
  EXPECT_NE(environment_text(settings, true).find("[host] HEDDLE_SPIN_US='7'"), std::string::npos);
  EXPECT_EQ(environment_text(settings, true).find("HEDDLE_NO_INSTALL"), std::string::npos);
}

TEST(DisplayEnvironment, ShowsWhatCanBeReadAgain) {
  Settings settings;
  settings.initial.has_run_schedule = true;
  settings.initial.run_kind = ScheduleKind::kGuided;
  settings.initial.run_chunk = 4;
  settings.initial.run_monotonic = true;
  settings.proc_bind = {ProcBind::kSpread, ProcBind::kClose};
  settings.stack_bytes = 4096;
  const std::string text = environment_text(settings, false);
  EXPECT_NE(text.find("OMP_SCHEDULE='MONOTONIC:GUIDED,4'"), std::string::npos);
  EXPECT_NE(text.find("OMP_PROC_BIND='SPREAD,CLOSE'"), std::string::npos);
  EXPECT_NE(text.find("OMP_STACKSIZE='4096B'"), std::string::npos);
}

}  // namespace
}  // namespace heddle
