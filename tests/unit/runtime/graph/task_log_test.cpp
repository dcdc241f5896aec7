#include "graph/task_log.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "graph/recorded_regions.hpp"

namespace heddle {
namespace {

TaskBody empty_body() {
  TaskBody body;
  body.run = [](void*, void*) {};
  return body;
}

// visit(entry, run) for each.
template <class Visit>
void for_each(const TaskLog& task_log, Visit&& visit) {
  task_log.for_each_run([&](const TaskLog::Run& run) {
    run.for_each([&](const TaskLog::Entry& entry) { visit(entry, run); });
  });
}

void execute(const TaskLog& task_log) {
  for_each(task_log, [](const TaskLog::Entry& entry, const TaskLog::Run& run) {
    if (run.is_task()) entry.node().execute();
  });
}

TEST(TaskLog, SayWhatTheRegionsCodeDid) {
  for (std::uint32_t seed = 1; seed <= 200; ++seed) {
    const test::Region region = test::random_region(seed, 120, 1 + seed % 9);
    TaskLog task_log;
    test::tell(region, task_log, empty_body());
    EXPECT_EQ(task_log.size(), region.items.size());
    const Recording recording(task_log, false);
    EXPECT_EQ(test::order_of_tasks(recording), test::order_by_the_standard(region)) << "seed " << seed;
  }
}

// More than what stands in one entry's kind, and more than a block of task_log holds.
TEST(TaskLog, HaveAnyNumberOfDependences) {
  for (const std::size_t count : {8u, 9u, 200u, 20'000u}) {
    std::vector<Dependence> dependences;
    for (std::uint32_t i = 0; i < count; ++i)
      dependences.push_back({test::address_of(i), static_cast<AccessKind>(i % 4), false});
    dependences[count / 2] = {nullptr, AccessKind::kOut, true};
    TaskLog task_log;
    for (int i = 0; i < 3; ++i) task_log.add_task(empty_body(), dependences, Gate::kNo);
    std::vector<Dependence> room;
    int tasks = 0;
    for_each(task_log, [&](const TaskLog::Entry& entry, const TaskLog::Run&) {
      const auto read = entry.dependences(room);
      ASSERT_EQ(read.size(), count);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_EQ(read[i].address, dependences[i].address);
        EXPECT_EQ(read[i].kind, dependences[i].kind);
        EXPECT_EQ(read[i].is_all_memory, dependences[i].is_all_memory);
      }
      ++tasks;
    });
    EXPECT_EQ(tasks, 3);
  }
}

// Each of another kind: what differs from one task to the next is not looked for among all.
TEST(TaskLog, TellTasksOfManyKindsApart) {
  TaskLog task_log;
  for (std::int32_t i = 0; i < 50'000; ++i) {
    TaskBody body = empty_body();
    body.priority = i;
    body.flags = static_cast<unsigned>(i % 3);
    task_log.add_task(body, {}, i % 7 == 0 ? Gate::kYes : Gate::kNo);
  }
  std::int32_t i = 0;
  for_each(task_log, [&](const TaskLog::Entry& entry, const TaskLog::Run& run) {
    ASSERT_EQ(entry.node().kind->priority, i);
    ASSERT_EQ(run.flags(), i % 3);
    ASSERT_EQ(run.gate() == Gate::kYes, i % 7 == 0);
    ++i;
  });
  EXPECT_EQ(i, 50'000);
  EXPECT_TRUE(task_log.has_priorities());
}

// Of every size, those that are copied to the stack as well as those that are restored.
TEST(TaskLog, TasksBeginWithTheDataTheyWereCreatedWith) {
  static std::vector<std::size_t> wrong;
  wrong.clear();
  TaskLog task_log;
  for (const bool may_move : {false, true}) {
    for (std::size_t bytes = 1; bytes <= 600; ++bytes) {
      std::vector<unsigned char> data(bytes, static_cast<unsigned char>(bytes));
      TaskBody body;
      body.run = [](void* code, void* given) {
        auto* const own = static_cast<unsigned char*>(given);
        const auto size = reinterpret_cast<std::size_t>(code);
        for (std::size_t i = 0; i < size; ++i) {
          if (own[i] != static_cast<unsigned char>(size)) wrong.push_back(size);
          own[i] = 0;
        }
      };
      body.code = reinterpret_cast<void*>(bytes);
      body.data = data.data();
      body.bytes = bytes;
      body.data_may_move = may_move;
      task_log.add_task(body, {}, Gate::kNo);
    }
  }
  for (int round = 0; round < 3; ++round) execute(task_log);
  EXPECT_EQ(wrong, std::vector<std::size_t>{});
}

TEST(TaskLog, DataThatKnowTheirAddressStayThere) {
  struct alignas(64) Data {
    Data* self;
    int value;
  };
  Data data{&data, 7};
  TaskBody body = empty_body();
  body.data = &data;
  body.bytes = sizeof data;
  body.alignment = alignof(Data);
  body.copy = [](void* to, void* from) {
    *static_cast<Data*>(to) = {static_cast<Data*>(to), static_cast<Data*>(from)->value};
  };
  TaskLog task_log;
  task_log.add_task(body, {}, Gate::kNo);
  data.value = 8;
  for_each(task_log, [](const TaskLog::Entry& entry, const TaskLog::Run&) {
    const GraphNode node = entry.node();
    const auto* const image = static_cast<const Data*>(node.image());
    EXPECT_EQ(image->value, 7);
    EXPECT_EQ(static_cast<void*>(image->self), node.data) << "its own address is that of what the body gets";
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(node.data) % alignof(Data), 0u);
  });
}

// An object of the record: the number counts those that exist.
TEST(TaskLog, DestroyWhatTheyCopied) {
  for (const bool is_executed : {true, false}) {
    int alive = 1;
    {
      int* original = &alive;
      TaskBody body;
      body.run = [](void*, void* data) { ++**static_cast<int**>(data); };
      body.data = &original;
      body.bytes = sizeof original;
      body.keeps_data = true;
      body.copy = [](void* to, void* from) { ++**static_cast<int**>(std::memcpy(to, from, sizeof(int*))); };
      body.destroy = [](void* data) { *(*static_cast<int**>(data)) -= 100; };
      TaskLog task_log;
      task_log.add_task(body, {}, Gate::kNo);
      EXPECT_EQ(alive, 2);
      if (is_executed) {
        execute(task_log);
        EXPECT_EQ(alive, 3) << "there is no image that would be restored";
      }
    }
    EXPECT_EQ(alive, is_executed ? -97 : -98);
  }
}

TEST(TaskLog, TasksInGroupsEndWithTheirDescendants) {
  TaskLog task_log;
  TaskBody of_group = empty_body();
  of_group.is_of_group = true;
  task_log.add_task(empty_body(), {}, Gate::kNo);
  task_log.begin_group();
  task_log.add_task(empty_body(), {}, Gate::kNo);
  task_log.add_task(of_group, {}, Gate::kNo);
  task_log.end_group();
  task_log.add_task(empty_body(), {}, Gate::kNo);
  std::vector<bool> waits;
  for_each(task_log, [&](const TaskLog::Entry& entry, const TaskLog::Run& run) {
    if (run.is_task()) waits.push_back(entry.node().kind->waits_for_descendants);
  });
  EXPECT_EQ(waits, (std::vector<bool>{false, true, false, false}));
}

TEST(TaskLog, EventsBelongToTheirTasks) {
  TaskLog task_log;
  int first = 0, second = 0;
  GraphEvent& of_second = task_log.event_of(&second);
  GraphEvent& of_first = task_log.event_of(&first);
  EXPECT_EQ(&task_log.event_of(&second), &of_second);
  for (int* const task : {&first, &second}) {
    TaskBody body = empty_body();
    body.data = task;
    body.bytes = sizeof *task;
    body.data_may_move = true;
    body.event = &task_log.event_of(task);
    task_log.add_task(body, {}, Gate::kNo);
  }
  EXPECT_NE(&task_log.event_of(&first), &of_first) << "another task in the same place";
  std::vector<GraphEvent*> events;
  for_each(task_log, [&](const TaskLog::Entry& entry, const TaskLog::Run&) {
    events.push_back(entry.event());
    EXPECT_FALSE(entry.node().kind->moves) << "what fulfils the event may use its data after it has returned";
  });
  EXPECT_EQ(events, (std::vector<GraphEvent*>{&of_first, &of_second}));
  EXPECT_TRUE(task_log.has_events());
}

AccessKind kind_of(std::size_t dependence, std::int32_t priority) {
  return static_cast<AccessKind>((dependence * 3 + static_cast<std::size_t>(priority)) % 4);
}

// A construct's tasks, as compilers' entry points entry them.
class ConstructsTasks {
 public:
  ConstructsTasks(TaskLog& task_log, std::uintptr_t code, std::size_t dependences)
      : task_log_(task_log), code_(reinterpret_cast<void*>(code)), dependences_(dependences) {}

  // Returns whether it was like another one.
  bool add(const std::vector<char>& data, std::uint32_t first_address, std::int32_t priority = 0) {
    const TaskLog::Signature signature{code_, data.size(), static_cast<std::uint32_t>(priority),
                                       dependences_};
    const auto address = [&](std::size_t i) {
      return test::address_of(first_address + static_cast<std::uint32_t>(i));
    };
    const auto write_addresses = [&](TaskLog::Word* to) {
      for (std::size_t i = 0; i < dependences_; ++i) *to++ = reinterpret_cast<TaskLog::Word>(address(i));
    };
    if (task_log_.add_task_like(signature, data.data(), data.size(), write_addresses) != nullptr) return true;
    TaskBody body = empty_body();
    body.code = code_;
    body.data = data.data();
    body.bytes = data.size();
    body.data_may_move = true;
    body.priority = priority;
    std::vector<Dependence> dependences;
    for (std::size_t i = 0; i < dependences_; ++i)
      dependences.push_back({address(i), kind_of(i, priority), false});
    task_log_.add_task(body, dependences, Gate::kNo);
    task_log_.remember(signature);
    return false;
  }

 private:
  TaskLog& task_log_;
  void* const code_;
  const std::size_t dependences_;
};

// Of more constructs than are remembered at a time, some of whose tasks differ in what a clause says. Again
// in the memory of what was noted before, where other constructs have the same kinds in other places.
TEST(TaskLog, TasksLikeOthersSayTheSame) {
  constexpr std::size_t kConstructs = 40;
  TaskLog task_log;
  std::mt19937 random(1);
  for (std::uintptr_t code = 0x1000; code < 0x4000; code += 0x1000) {
    task_log.clear();
    std::vector<ConstructsTasks> constructs;
    for (std::size_t c = 0; c < kConstructs; ++c) constructs.emplace_back(task_log, code + 64 * c, c % 9);
    struct Noted {
      std::size_t construct;
      std::int32_t priority;
    };
    std::vector<Noted> noted;
    int like_others = 0;
    for (std::uint32_t i = 0; i < 30'000; ++i) {
      const std::size_t c = i % 100 < 50 ? 3 : random() % kConstructs;
      const auto priority = static_cast<std::int32_t>(i % 1000 < 900 ? 1 : random() % 3);
      const std::vector<char> data(1 + c, static_cast<char>(i));
      like_others += constructs[c].add(data, i, priority) ? 1 : 0;
      noted.push_back({c, priority});
    }
    EXPECT_GT(like_others, 15'000);
    EXPECT_LT(like_others, 30'000);
    EXPECT_EQ(task_log.tasks(), noted.size());
    std::uint32_t i = 0;
    std::vector<Dependence> room;
    for_each(task_log, [&](const TaskLog::Entry& entry, const TaskLog::Run&) {
      const auto [c, priority] = noted[i];
      ASSERT_EQ(entry.node().kind->priority, priority);
      const auto dependences = entry.dependences(room);
      ASSERT_EQ(dependences.size(), c % 9);
      for (std::size_t d = 0; d < dependences.size(); ++d) {
        ASSERT_EQ(dependences[d].address, test::address_of(i + static_cast<std::uint32_t>(d)));
        ASSERT_EQ(dependences[d].kind, kind_of(d, priority));
      }
      const GraphNode node = entry.node();
      ASSERT_EQ(reinterpret_cast<std::uintptr_t>(node.kind->code), code + 64 * c);
      for (std::size_t at = 0; at <= c; ++at) ASSERT_EQ(node.data[at], static_cast<char>(i));
      ++i;
    });
    EXPECT_EQ(i, noted.size());
  }
}

// What ends with its descendants inside a group does not outside.
TEST(TaskLog, TasksInAGroupAreNotLikeThoseOutside) {
  TaskLog task_log;
  ConstructsTasks construct(task_log, 0x1000, 1);
  EXPECT_FALSE(construct.add({}, 0));
  EXPECT_TRUE(construct.add({}, 0));
  task_log.begin_group();
  EXPECT_FALSE(construct.add({}, 0));
  EXPECT_FALSE(construct.add({}, 0)) << "more is to be done for it than to call its body";
  task_log.end_group();
  EXPECT_FALSE(construct.add({}, 0));
  EXPECT_TRUE(construct.add({}, 0));
}

// In the memory of what was there before, be it more or less.
TEST(TaskLog, AreAsNewWhenTheyHaveBeenCleared) {
  TaskLog task_log;
  int alive = 0;
  for (std::uint32_t seed = 1; seed <= 32; ++seed) {
    task_log.clear();
    EXPECT_EQ(alive, 0);
    EXPECT_EQ(task_log.size(), 0u);
    EXPECT_FALSE(task_log.has_events() || task_log.has_priorities());
    const test::Region region = test::random_region(seed, seed % 8 == 0 ? 500 : 60, 1 + seed % 9);
    test::tell(region, task_log, empty_body());
    {
      const Recording recording(task_log, false);
      EXPECT_EQ(test::order_of_tasks(recording), test::order_by_the_standard(region)) << "seed " << seed;
    }
    ConstructsTasks construct(task_log, 0x1000, 1);
    EXPECT_FALSE(construct.add({}, seed)) << "what was remembered is gone";
    EXPECT_TRUE(construct.add({}, seed));
    const std::vector<Dependence> many(seed % 4 == 0 ? 3000 : 0,
                                       {test::address_of(100 + seed), AccessKind::kIn, false});
    int* counter = &alive;
    TaskBody object = empty_body();
    object.data = &counter;
    object.bytes = sizeof counter;
    object.keeps_data = true;
    object.priority = 1;
    object.copy = [](void* to, void* from) { ++**static_cast<int**>(std::memcpy(to, from, sizeof(int*))); };
    object.destroy = [](void* data) { --**static_cast<int**>(data); };
    task_log.add_task(object, many, Gate::kNo);
    EXPECT_EQ(alive, 1);
    EXPECT_EQ(task_log.awaited_event_of(&region), nullptr);
    task_log.event_of(&region);
    EXPECT_NE(task_log.awaited_event_of(&region), nullptr);
    std::size_t seen = 0;
    for_each(task_log, [&](const TaskLog::Entry&, const TaskLog::Run&) { ++seen; });
    EXPECT_EQ(seen, region.items.size() + 3);
  }
}

// An event is fulfilled once, before its task begins or after.
TEST(GraphEvent, IsFulfilledOnceInEachExecution) {
  GraphEvent event;
  for (const bool is_early : {false, true, true, false}) {
    event.expect();
    Task task;
    if (!is_early) event.begin(task);
    EXPECT_EQ(event.fulfilled(), is_early ? nullptr : &task);
    EXPECT_TRUE(event.was_fulfilled(event.fulfilled()));
    if (is_early) event.begin(task);
    EXPECT_EQ(task.status.is_fulfilled(), is_early);
    EXPECT_TRUE(event.was_fulfilled(event.fulfilled()));
  }
}

}  // namespace
}  // namespace heddle
