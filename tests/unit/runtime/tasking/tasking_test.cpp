// Tasks in real teams, without a compiler: what the ABIs rely on.
#include "region/barrier.hpp"
#include "region/fork_join.hpp"
#include "tasking/complete.hpp"
#include "tasking/create.hpp"
#include "tasking/detach.hpp"
#include "tasking/task_wait.hpp"
#include "tasking/wait.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

namespace heddle {
namespace {

template <class F>
void as_single(int threads, F&& body) {
  parallel(
      threads,
      [](Member& me, void* argument) {
        if (me.number == 0) (*static_cast<std::remove_reference_t<F>*>(argument))(me);
      },
      &body);
}

template <class F>
void spawn(Member& me, F body, std::initializer_list<Dependence> dependences = {}, unsigned flags = 0) {
  Task& task = new_task(me, sizeof(F), flags);
  new (task.payload()) F(std::move(body));
  task.body = [](Task& self) {
    F& f = *static_cast<F*>(self.payload());
    f(this_member());
    f.~F();
  };
  submit(me, task, std::span<const Dependence>(dependences.begin(), dependences.size()));
}

class TaskingTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Threads, TaskingTest, ::testing::Values(1, 2, 3, 5));

TEST_P(TaskingTest, TheEndOfARegionWaitsForAllTasks) {
  for (int repeat = 0; repeat < 50; ++repeat) {
    std::atomic<int> ran{0};
    as_single(GetParam(), [&](Member& me) {
      for (int i = 0; i < 100; ++i)
        spawn(me, [&ran](Member& inner) {
          ran.fetch_add(1);
          spawn(inner, [&ran](Member&) { ran.fetch_add(1); });
        });
    });
    ASSERT_EQ(ran.load(), 200);
  }
}

TEST_P(TaskingTest, TaskwaitWaitsForChildrenAndTaskgroupForDescendants) {
  as_single(GetParam(), [](Member& me) {
    std::atomic<int> children{0}, descendants{0};
    for (int i = 0; i < 100; ++i) spawn(me, [&](Member&) { children.fetch_add(1); });
    taskwait(me);
    EXPECT_EQ(children.load(), 100);
    taskgroup_begin(me);
    for (int i = 0; i < 20; ++i)
      spawn(me, [&](Member& a) {
        spawn(a, [&](Member& b) { spawn(b, [&](Member&) { descendants.fetch_add(1); }); });
      });
    taskgroup_end(me);
    EXPECT_EQ(descendants.load(), 20);
  });
}

// Each task creates the next and ends; a waiting thread compares the last with ancestors long complete.
TEST_P(TaskingTest, AnEndlessLineOfDescendantsMayOutliveItsAncestors) {
  struct Line {
    static void extend(Member& me, std::atomic<int>& left) {
      if (left.fetch_sub(1) > 0) spawn(me, [&left](Member& inner) { extend(inner, left); });
    }
  };
  as_single(GetParam(), [](Member& me) {
    std::atomic<int> left[8];
    taskgroup_begin(me);
    for (std::atomic<int>& line : left) {
      line = 500;
      spawn(me, [&line](Member& inner) { Line::extend(inner, line); });
    }
    taskgroup_end(me);
    for (std::atomic<int>& line : left) EXPECT_LT(line.load(), 1);
  });
}

TEST_P(TaskingTest, AChainRunsInOrder) {
  as_single(GetParam(), [](Member& me) {
    int x = 0;
    bool in_order = true;
    for (int i = 0; i < 5000; ++i)
      spawn(me,
            [&x, &in_order, i](Member&) {
              in_order &= x == i;
              x = i + 1;
            },
            {{&x, AccessKind::kOut, false}});
    taskwait(me);
    EXPECT_TRUE(in_order);
    EXPECT_EQ(x, 5000);
  });
}

TEST_P(TaskingTest, AMutexinoutsetNeverRunsTwoTasksAtOnce) {
  as_single(GetParam(), [](Member& me) {
    int plain = 0;  // ThreadSanitizer would object
    for (int i = 0; i < 2000; ++i)
      spawn(me, [&](Member&) { ++plain; }, {{&plain, AccessKind::kMutexInOutSet, false}});
    taskwait(me);
    EXPECT_EQ(plain, 2000);
  });
}

TEST_P(TaskingTest, AnEventFulfilledByAnotherThreadReleasesTheSuccessors) {
  for (int repeat = 0; repeat < 20; ++repeat) {
    int x = 0, seen = 0;
    std::thread courier;
    as_single(GetParam(), [&](Member& me) {
      Task& task = new_task(me, 0, Task::kDetachable);
      task.as<std::thread*>() = &courier;
      task.body = [](Task& self) {
        *self.as<std::thread*>() = std::thread([&self] { fulfill_event(self); });
      };
      const Dependence out{&x, AccessKind::kOut, false};
      submit(me, task, {&out, 1});
      spawn(me, [&](Member&) { seen = 1; }, {{&x, AccessKind::kIn, false}});
    });
    courier.join();
    ASSERT_EQ(seen, 1);
  }
}

TEST_P(TaskingTest, ManyProducersAtOnce) {
  std::atomic<int> ran{0};
  struct Shared {
    std::atomic<int>& ran;
  } shared{ran};
  parallel(
      GetParam(),
      [](Member& me, void* argument) {
        auto& s = *static_cast<Shared*>(argument);
        int local = 0;
        for (int i = 0; i < 3000; ++i) {
          spawn(me, [&s](Member&) { s.ran.fetch_add(1); });
          if (i % 100 == 0) taskwait(me);
        }
        spawn(me, [&local](Member&) { ++local; });
        taskwait(me);
        EXPECT_EQ(local, 1);
        barrier(me);
        EXPECT_EQ(s.ran.load() % 3000, 0);
      },
      &shared);
  EXPECT_EQ(ran.load(), 3000 * GetParam());
}

TEST(Tasking, RegionsOfEverySizeOneAfterTheOther) {
  for (int i = 0; i < 400; ++i) {
    std::atomic<int> members{0};
    const int size = 1 + i * 7 % 6;
    parallel(
        size,
        [](Member& me, void* argument) {
          static_cast<std::atomic<int>*>(argument)->fetch_add(1);
          if (me.number == me.team->size - 1)
            spawn(me, [argument](Member&) { static_cast<std::atomic<int>*>(argument)->fetch_add(100); });
        },
        &members);
    ASSERT_EQ(members.load(), size + 100);
  }
}

TEST(Tasking, NestedTeamsHaveTheirOwnTasks) {
  std::atomic<int> ran{0};
  parallel(
      2,
      [](Member&, void* argument) {
        parallel(
            3,
            [](Member& me, void* inner) {
              EXPECT_EQ(me.team->level, 2);
              spawn(me, [inner](Member& m) {
                EXPECT_EQ(m.team->level, 2);
                static_cast<std::atomic<int>*>(inner)->fetch_add(1);
              });
            },
            argument);
      },
      &ran);
  EXPECT_EQ(ran.load(), 6);
}

// The member finds a task in its last look before it sleeps, and executes it. The next task it finds at once.
TEST(Tasking, AWaitLooksAtOnceWhenItHasExecutedATask) {
  struct Wait {
    Member& me;
    int tasks_executed = 0, turns_in_vain = 0;
    bool is_first_created = false, is_second_created = false;

    void create_task() {
      spawn(me, [this](Member&) { ++tasks_executed; });
    }
    bool operator()() {
      if (tasks_executed == 1) {
        if (!std::exchange(is_second_created, true))
          create_task();
        else
          ++turns_in_vain;
      }
      return tasks_executed == 2;
    }
    bool prepare_sleep() {
      if (!std::exchange(is_first_created, true)) create_task();
      return true;
    }
    void end_sleep() {}
  };
  Backoff::set_spin_us(0);
  std::atomic<bool> is_over{false};
  parallel(
      8,
      [](Member& me, void* argument) {
        auto& over = *static_cast<std::atomic<bool>*>(argument);
        if (me.number != 0) return spin_until([&] { return over.load(); });
        Wait wait{me};
        run_tasks_until(me, wait);
        EXPECT_EQ(wait.turns_in_vain, 0);
        over.store(true);
      },
      &is_over);
  Backoff::set_spin_us(-1);
}

TEST(Tasking, AWaitInVainLooksAtWhatAnybodyHas) {
  LooksAtOthers looks(2);
  const auto looks_before_one_at_anybody = [&looks] {
    std::uint64_t before = 0;
    for (; looks.next() == Look::kFirst; ++before) looks.was_in_vain();
    looks.was_in_vain();
    return before;
  };
  EXPECT_EQ(looks_before_one_at_anybody(), limits::kLooksInVain);
  EXPECT_EQ(looks_before_one_at_anybody(), 2 * limits::kLooksInVain);
  looks.was_in_vain();
  looks.begin_again();
  EXPECT_EQ(looks_before_one_at_anybody(), limits::kLooksInVain);
}

// The owner of the parent counts what it has published itself apart from what others have.
TEST(Tasking, ASiblingIsOfTheMemberThatPublishesIt) {
  std::atomic<Task*> sibling{nullptr};
  parallel(
      2,
      [](Member& me, void* argument) {
        auto& published = *static_cast<std::atomic<Task*>*>(argument);
        if (me.number == 0) {
          spawn(me, [&published](Member& other) {
            Task& task = new_task(other, 0, 0);
            EXPECT_EQ(task.creator, Task::kNoCreator);
            task.body = [](Task&) {};
            const int number = other.number;
            task.add_reference();
            submit_sibling(other, task);
            EXPECT_EQ(task.creator, number);
            published.store(&task);
          });
          spin_until([&] { return published.load() != nullptr; });
        }
        barrier(me);
        if (me.number == 0 && published.load()->drop_reference()) release_task(*published.load(), *me.cache);
      },
      &sibling);
}

TEST(Tasking, ThreadsOfTheProgramEachGetTheirOwnTeams) {
  std::vector<std::thread> threads;
  std::atomic<int> total{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i)
        parallel(
            2, [](Member&, void* argument) { static_cast<std::atomic<int>*>(argument)->fetch_add(1); },
            &total);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(total.load(), 4 * 20 * 2);
}

}  // namespace
}  // namespace heddle
