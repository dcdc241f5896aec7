#include "icv/settings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "icv/variables.hpp"

namespace heddle {
namespace {

std::map<std::string, std::string> g_environment;

Settings from(std::map<std::string, std::string> environment) {
  g_environment = std::move(environment);
  return read_settings([](const char* name) -> const char* {
    const auto found = g_environment.find(name);
    return found != g_environment.end() ? found->second.c_str() : nullptr;
  });
}

TEST(Settings, HaveAReaderForEveryVariableAndNoOther) {
  std::size_t read = 0;
  for (const Variable& variable : variables()) {
    EXPECT_EQ(find_reader(variable.name) != nullptr, variable.is_ours_to_read) << variable.name;
    read += variable.is_ours_to_read;
  }
  EXPECT_EQ(read, readers().size());
}

TEST(Settings, TakeAnOrderOfTasks) {
  EXPECT_EQ(from({}).order.kind, OrderChoice::Kind::kNatural);
  const Settings fuzz =
      from({{"HEDDLE_ORDER", "fuzz:18446744073709551615"}, {"HEDDLE_ORDER_LOG", "some file"}});
  EXPECT_EQ(fuzz.order.kind, OrderChoice::Kind::kFuzz);
  EXPECT_EQ(fuzz.order.seed, UINT64_MAX);
  EXPECT_EQ(fuzz.order_log, "some file");
  for (const char* bad :
       {"fuzz", "fuzz:", "fuzz:-1", "fuzz:1 2", "fuzz:18446744073709551616", "replay:/none", "7"})
    EXPECT_EQ(from({{"HEDDLE_ORDER", bad}}).order.kind, OrderChoice::Kind::kNatural) << bad;
}

TEST(Settings, TakeAListOfThreadsAndNestAsDeep) {
  const Settings list = from({{"OMP_NUM_THREADS", " 4, 2 ,1"}});
  EXPECT_EQ(list.num_threads, (std::vector<int>{4, 2, 1}));
  EXPECT_EQ(list.initial.num_threads, 4);
  EXPECT_EQ(list.initial.max_active_levels, 3);
}

TEST(Settings, LetMaxActiveLevelsOverruleNested) {
  EXPECT_EQ(from({}).initial.max_active_levels, 1);
  EXPECT_EQ(from({{"OMP_NESTED", "true"}}).initial.max_active_levels, 255);
  EXPECT_EQ(from({{"OMP_NESTED", "false"}, {"OMP_NUM_THREADS", "2,2"}}).initial.max_active_levels, 1);
  EXPECT_EQ(from({{"OMP_NESTED", "true"}, {"OMP_MAX_ACTIVE_LEVELS", "3"}}).initial.max_active_levels, 3);
  EXPECT_EQ(from({{"OMP_NESTED", "false"}, {"OMP_MAX_ACTIVE_LEVELS", "0"}}).initial.max_active_levels, 0);
}

TEST(Settings, TakeSchedulesWithModifierAndChunk) {
  const DataEnvironment plain = from({{"OMP_SCHEDULE", "Dynamic"}}).initial;
  EXPECT_EQ(plain.run_kind, ScheduleKind::kDynamic);
  EXPECT_EQ(plain.run_chunk, 1);
  EXPECT_TRUE(plain.has_run_schedule);
  const DataEnvironment full = from({{"OMP_SCHEDULE", " monotonic : guided , 7 "}}).initial;
  EXPECT_EQ(full.run_kind, ScheduleKind::kGuided);
  EXPECT_EQ(full.run_chunk, 7);
  EXPECT_TRUE(full.run_monotonic);
  EXPECT_FALSE(from({}).initial.has_run_schedule);
}

TEST(Settings, TakeSizesInEveryUnit) {
  EXPECT_EQ(from({{"OMP_STACKSIZE", "2000500B"}}).stack_bytes, 2000500u);
  EXPECT_EQ(from({{"OMP_STACKSIZE", "3000 k "}}).stack_bytes, 3000u * 1024);
  EXPECT_EQ(from({{"OMP_STACKSIZE", "10M"}}).stack_bytes, 10u << 20);
  EXPECT_EQ(from({{"OMP_STACKSIZE", " 1G"}}).stack_bytes, std::size_t{1} << 30);
  EXPECT_EQ(from({{"OMP_STACKSIZE", "20000"}}).stack_bytes, 20000u * 1024);
}

TEST(Settings, TakeBindKindsAndPlaces) {
  const Settings bound = from({{"OMP_PROC_BIND", "spread, CLOSE,master"}, {"OMP_PLACES", "{0:2}:2:2"}});
  EXPECT_EQ(bound.proc_bind,
            (std::vector<ProcBind>{ProcBind::kSpread, ProcBind::kClose, ProcBind::kPrimary}));
  ASSERT_TRUE(bound.places);
  EXPECT_EQ(bound.places->places.size(), 2u);
  EXPECT_TRUE(from({{"OMP_PROC_BIND", "true,false"}}).proc_bind.empty());
}

TEST(Settings, TakeGccsProcessorListWhereNobodySaidMore) {
  const Settings s = from({{"GOMP_CPU_AFFINITY", "1 0"}});
  ASSERT_TRUE(s.places);
  EXPECT_EQ(s.places->places, (std::vector<ProcessorSet>{{1}, {0}}));
  EXPECT_EQ(s.proc_bind, std::vector{ProcBind::kTrue});
  EXPECT_FALSE(from({{"GOMP_CPU_AFFINITY", "1 0"}, {"OMP_PROC_BIND", "false"}}).places);
  EXPECT_EQ(from({{"GOMP_CPU_AFFINITY", "1"}, {"OMP_PLACES", "cores"}}).places->places.size(), 0u);
  EXPECT_FALSE(from({{"GOMP_CPU_AFFINITY", "one"}}).places);
}

TEST(Settings, TakeAnEmptyValueForNone) {
  testing::internal::CaptureStderr();
  const Settings unset = from({});
  const char* const names[] = {"OMP_NUM_THREADS", "OMP_DYNAMIC",   "OMP_SCHEDULE",    "OMP_STACKSIZE",
                               "OMP_PROC_BIND",   "OMP_PLACES",    "OMP_WAIT_POLICY", "OMP_ALLOCATOR",
                               "HEDDLE_SPIN_US",  "HEDDLE_WITHOUT"};
  for (const char* name : names)
    for (const char* value : {"", "  "})
      EXPECT_EQ(find_reader(name)->show(from({{name, value}})), find_reader(name)->show(unset)) << name;
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

// OpenMP 5.2, section 21: the plain name is the host's, that with _ALL everybody's, that with _DEV for
// others.
TEST(Settings, TakeWhatIsMeantForAllDevices) {
  EXPECT_EQ(from({{"OMP_NUM_THREADS_ALL", "3"}}).num_threads, std::vector<int>{3});
  EXPECT_EQ(from({{"OMP_NUM_THREADS_ALL", "3"}, {"OMP_NUM_THREADS", "5"}}).num_threads, std::vector<int>{5});
  EXPECT_EQ(from({{"OMP_NUM_THREADS_ALL", "3"}, {"OMP_NUM_THREADS", " "}}).num_threads, std::vector<int>{3});
  EXPECT_EQ(from({{"OMP_NUM_TEAMS_ALL", "7"}}).num_teams, 7);
  EXPECT_EQ(from({{"OMP_NUM_TEAMS_DEV", "7"}, {"OMP_NUM_TEAMS_DEV_1", "7"}}).num_teams, 0);
  EXPECT_EQ(from({{"OMP_CANCELLATION_ALL", "true"}}).is_cancellable, from({}).is_cancellable)
      << "not of devices";
}

TEST(Settings, HaveAsManyActiveLevelsAsAListHasValues) {
  EXPECT_EQ(from({{"OMP_PROC_BIND", "spread"}}).initial.max_active_levels, 1);
  EXPECT_EQ(from({{"OMP_PROC_BIND", "spread,close"}}).initial.max_active_levels, 2);
  EXPECT_EQ(from({{"OMP_PROC_BIND", "spread,close"}, {"OMP_NUM_THREADS", "4,3,2"}}).initial.max_active_levels,
            3);
  EXPECT_EQ(
      from({{"OMP_PROC_BIND", "spread,close"}, {"OMP_MAX_ACTIVE_LEVELS", "1"}}).initial.max_active_levels, 1);
}

TEST(Settings, PassFloatingPointModesOnAsTheCompilerHasItUnlessTold) {
  EXPECT_FALSE(from({}).inherits_fp_modes.has_value());
  EXPECT_EQ(from({{"KMP_INHERIT_FP_CONTROL", "1"}}).inherits_fp_modes, true);
  EXPECT_EQ(from({{"KMP_INHERIT_FP_CONTROL", "false"}}).inherits_fp_modes, false);
}

TEST(Settings, TakeLlvmsNameForSpinning) {
  EXPECT_EQ(from({{"KMP_BLOCKTIME", "30"}}).spin_us, 30'000);
  EXPECT_EQ(from({{"KMP_BLOCKTIME", "50us"}}).spin_us, 50);
  EXPECT_EQ(from({{"KMP_BLOCKTIME", "1ms"}}).spin_us, 1000);
  EXPECT_EQ(from({{"KMP_BLOCKTIME", "infinite"}}).spin_us, 10'000'000);
  EXPECT_EQ(from({{"KMP_BLOCKTIME", "30"}, {"HEDDLE_SPIN_US", "7"}}).spin_us, 7);
  EXPECT_FALSE(from({{"KMP_BLOCKTIME", "soon"}}).spin_us);
}

TEST(Settings, TakeThePatienceOfTheWatchdogAndWhetherItAborts) {
  EXPECT_EQ(from({{"HEDDLE_WATCHDOG", "1.5"}}).watchdog_ms, 1500);
  EXPECT_EQ(from({{"HEDDLE_WATCHDOG", "25e-1"}}).watchdog_ms, 2500);
  EXPECT_FALSE(from({{"HEDDLE_WATCHDOG", "1.5"}}).watchdog_aborts);
  const Settings aborts = from({{"HEDDLE_WATCHDOG", "10, Abort"}});
  EXPECT_EQ(aborts.watchdog_ms, 10'000);
  EXPECT_TRUE(aborts.watchdog_aborts);
}

TEST(Settings, SayWhatToUseInsteadOfLlvmsAffinity) {
  ::testing::internal::CaptureStderr();
  from({{"KMP_AFFINITY", "compact"}});
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), ::testing::HasSubstr("OMP_PLACES and OMP_PROC_BIND"));
}

TEST(Settings, TakeTheRest) {
  const Settings s = from({{"OMP_NUM_TEAMS", "3"},
                           {"OMP_TEAMS_THREAD_LIMIT", "5"},
                           {"OMP_CANCELLATION", "TRUE"},
                           {"OMP_TARGET_OFFLOAD", "Mandatory"},
                           {"OMP_MAX_TASK_PRIORITY", "9"},
                           {"OMP_DISPLAY_ENV", "verbose"},
                           {"OMP_AFFINITY_FORMAT", "%n"},
                           {"OMP_TOOL", "disabled"},
                           {"OMP_TOOL_LIBRARIES", "/a.so:b.so"},
                           {"OMP_TOOL_VERBOSE_INIT", "stderr"},
                           {"OMP_DEBUG", "enabled"},
                           {"OMP_WAIT_POLICY", "PASSIVE"},
                           {"HEDDLE_SPIN_US", "50"},
                           {"OMP_THREAD_LIMIT", "12"},
                           {"OMP_ALLOCATOR", "omp_const_mem_alloc"}});
  EXPECT_EQ(s.num_teams, 3);
  EXPECT_EQ(s.teams_thread_limit, 5);
  EXPECT_TRUE(s.is_cancellable);
  EXPECT_EQ(s.target_offload, TargetOffload::kMandatory);
  EXPECT_EQ(s.initial.default_device, kInvalidDevice);
  EXPECT_EQ(s.max_task_priority, 9);
  EXPECT_EQ(s.display_environment, DisplayEnvironment::kVerbose);
  EXPECT_EQ(s.affinity_format, "%n");
  EXPECT_FALSE(s.allows_tools);
  EXPECT_EQ(s.tool_libraries, (std::vector<std::string>{"/a.so", "b.so"}));
  EXPECT_EQ(s.tool_verbose_init, "stderr");
  EXPECT_TRUE(s.is_debugged);
  EXPECT_EQ(s.wait_policy, WaitPolicy::kPassive);
  EXPECT_EQ(s.spin_us, 50);
  EXPECT_EQ(s.initial.thread_limit, 12);
  EXPECT_EQ(s.initial.allocator, 3u);
}

// Each bad value leaves what an unset variable leaves.
TEST(Settings, FallBackToTheDefaultWhereAValueIsNotUnderstood) {
  const std::map<std::string, std::vector<const char*>> bad{
      {"OMP_NUM_THREADS", {"0", "-1", "4096", "2,", ",2", "2;3", "two", "2x", "99999999999999999999"}},
      {"OMP_DYNAMIC", {"perhaps", "2", "t"}},
      {"OMP_MAX_ACTIVE_LEVELS", {"-1", "256", "many"}},
      {"OMP_THREAD_LIMIT", {"0", "-3", "1.5"}},
      {"OMP_SCHEDULE", {"static,", "static,0", "static,-2", "sometimes:static", ":static", "static,2,3"}},
      {"OMP_STACKSIZE", {"M", "0", "-1M", "8MB", "8 M B", "8T"}},
      {"OMP_PROC_BIND", {"near", "close,", "true,close"}},
      {"OMP_PLACES", {"{0", "chips"}},
      {"OMP_NUM_TEAMS", {"0", "-1"}},
      {"OMP_WAIT_POLICY", {"busy"}},
      {"OMP_DEFAULT_DEVICE", {"-1", "host"}},
      {"OMP_ALLOCATOR", {"malloc", "omp_default_mem_space:alignment=3"}},
      {"HEDDLE_SPIN_US", {"-1", "10000001", "1ms"}},
      {"HEDDLE_WATCHDOG",
       {"-1", "soon", "5,", "5,end", ",abort", "+1", "0x10", "inf", "nan", "1e", "1e7", "."}}};
  const Settings unset = from({});
  for (const auto& [name, values] : bad) {
    const Reader* reader = find_reader(name);
    ASSERT_NE(reader, nullptr) << name;
    for (const char* value : values) {
      testing::internal::CaptureStderr();
      const Settings read = from({{name, value}});
      const std::string said = testing::internal::GetCapturedStderr();
      EXPECT_EQ(reader->show(read), reader->show(unset)) << name << "='" << value << "'";
      EXPECT_EQ(said.rfind("heddle: " + name + "='" + value + "' is not ", 0), 0u) << said;
      EXPECT_EQ(said.find('\n'), said.size() - 1) << said;
    }
  }
}

}  // namespace
}  // namespace heddle
