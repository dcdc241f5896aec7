#include "region/fork_join.hpp"

#include <gtest/gtest.h>

#include "icv/settings.hpp"
#include "tasking/create.hpp"
#include "tasking/undeferred.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

TEST(InitialRegion, BeginsAtLevelZeroWithTheEnvironmentsControlVariables) {
  change_environment(this_member(),
                     [](DataEnvironment& e) { e.num_threads = settings().initial.num_threads + 3; });
  parallel(
      2,
      [](Member& outer, void*) {
        run_as_initial_thread(
            [](void* argument) {
              const Member& me = this_member();
              EXPECT_NE(&me, argument);
              EXPECT_EQ(me.team->level, 0);
              EXPECT_EQ(me.team->active_level, 0);
              EXPECT_EQ(me.team->size, 1);
              EXPECT_EQ(me.number, 0);
              EXPECT_EQ(environment_of(me).num_threads, settings().initial.num_threads);
            },
            &outer, 0);
        EXPECT_EQ(&this_member(), &outer);
        EXPECT_EQ(outer.team->level, 1);
      },
      nullptr);
  change_environment(this_member(),
                     [](DataEnvironment& e) { e.num_threads = settings().initial.num_threads; });
}

TEST(InitialRegion, KeepsTheDefaultDeviceThatTheProgramChose) {
  const auto choose = [](int device) {
    change_environment(this_member(), [=](DataEnvironment& e) { e.default_device = device; });
  };
  choose(3);
  run_as_initial_thread(
      [](void*) {
        EXPECT_EQ(environment_of(this_member()).default_device, 3);
        change_environment(this_member(), [](DataEnvironment& e) { e.default_device = 4; });
      },
      nullptr, 0);
  EXPECT_EQ(environment_of(this_member()).default_device, 3);
  choose(0);
}

TEST(InitialRegion, LimitsItsThreads) {
  run_as_initial_thread([](void*) { EXPECT_EQ(region_size(this_member(), 4, true), 2); }, nullptr, 2);
  EXPECT_EQ(region_size(this_member(), 4, true), 4);
}

TEST(InitialRegion, EndsWithItsTasksComplete) {
  int done = 0;
  run_as_initial_thread(
      [](void* argument) {
        Member& me = this_member();
        for (int i = 0; i < 10; ++i) {
          Task& task = new_task(me, 0, 0);
          task.as<int*>() = static_cast<int*>(argument);
          task.body = [](Task& self) { ++*self.as<int*>(); };
          submit(me, task, {});
        }
      },
      &done, 0);
  EXPECT_EQ(done, 10);
}

TEST(InitialRegion, IsNotFinalInsideAFinalTask) {
  Member& me = this_member();
  Task& task = new_task(me, 0, Task::kFinal);
  begin_undeferred(me, task, {});
  run_as_initial_thread([](void*) { EXPECT_FALSE(this_member().context.task->is_final()); }, nullptr, 0);
  EXPECT_TRUE(me.context.task->is_final());
  end_undeferred(me, task);
}

}  // namespace
}  // namespace heddle
