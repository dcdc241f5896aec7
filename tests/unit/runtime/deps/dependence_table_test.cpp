// The rules of OpenMP 5.2, section 15.9.5, without a thread: who must wait for whom.
#include "deps/dependence_table.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <initializer_list>
#include <vector>

#include "deps/exclusion.hpp"
#include "mem/cache.hpp"

namespace heddle {
namespace {

int g_released = 0;
void count_release(Task& task, MemoryCache&) {
  EXPECT_TRUE(task.successors.is_closed());
  ++g_released;
}

class DependenceTableTest : public ::testing::Test {
 protected:
  ~DependenceTableTest() override {
    for (Task& task : tasks_) complete(task);
    table_.clear(cache_);
    of_task_.clear(cache_);
    for (Task& task : tasks_)  // what release_task() does in the runtime
      for (TaskExtension* extension = task.extensions; extension != nullptr;) {
        TaskExtension* next = extension->next;
        cache_.release(extension, extension->bytes, cache_);
        extension = next;
      }
  }

  Task& create(std::initializer_list<Dependence> dependences) { return create_in(table_, dependences); }
  Task& create_in(DependenceTable& table, std::initializer_list<Dependence> dependences) {
    Task& task = tasks_.emplace_back();
    const std::uint32_t edges =
        table.add(task, std::span<const Dependence>(dependences.begin(), dependences.size()), cache_);
    is_ready_.push_back(arm(task, edges));
    return task;
  }
  // A relay that is not armed.
  Task& create_relay() {
    Task& relay = tasks_.emplace_back();
    relay.pending.reset(DependenceTable::kGuard);
    is_ready_.push_back(false);
    return relay;
  }
  void arm_relay(Task& relay, const DependenceTable::Waiting& waiting) {
    is_ready_[index_of(relay)] = arm(relay, waiting.predecessors);
  }

  bool is_ready(const Task& task) { return is_ready_[index_of(task)]; }

  void complete(Task& task) {
    if (task.successors.is_closed()) return;
    const auto closed = task.successors.close(SuccessorList<>::Closing::kLeaves);
    EXPECT_EQ(closed.was_abandoned, task.table_references == 0);
    const auto release = [this](Task& next) {
      if (release_one(next)) is_ready_[index_of(next)] = true;
    };
    for (std::uint32_t i = 0; i < closed.directs; ++i) release(*closed.direct[i]);
    for (Edge* edge = closed.edges; edge != nullptr;) {
      Task& next = *edge->successor;
      edge = edge->next;
      release(next);
    }
  }

  std::size_t index_of(const Task& task) const {
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      if (&tasks_[i] == &task) return i;
    return tasks_.size();
  }

  static Dependence in(void* p) { return {p, AccessKind::kIn, false}; }
  static Dependence out(void* p) { return {p, AccessKind::kOut, false}; }
  static Dependence in_out_set(void* p) { return {p, AccessKind::kInOutSet, false}; }
  static Dependence mutex(void* p) { return {p, AccessKind::kMutexInOutSet, false}; }
  static Dependence all_memory() { return {nullptr, AccessKind::kOut, true}; }

  int x = 0, y = 0;
  MemoryCache cache_;
  DependenceTable table_{&count_release};
  DependenceTable of_task_{&count_release};  // of a transparent task that table_ knows by relays
  std::deque<Task> tasks_;
  std::vector<bool> is_ready_;
};

TEST_F(DependenceTableTest, ReadersWaitForTheWriterAndNotForEachOther) {
  Task& writer = create({out(&x)});
  Task& a = create({in(&x)});
  Task& b = create({in(&x)});
  EXPECT_TRUE(is_ready(writer));
  EXPECT_FALSE(is_ready(a) || is_ready(b));
  complete(writer);
  EXPECT_TRUE(is_ready(a) && is_ready(b));
}

TEST_F(DependenceTableTest, AWriterWaitsForAllReadersSinceTheLastWriter) {
  Task& a = create({in(&x)});
  Task& b = create({in(&x)});
  Task& writer = create({out(&x)});
  complete(a);
  EXPECT_FALSE(is_ready(writer));
  complete(b);
  EXPECT_TRUE(is_ready(writer));
}

TEST_F(DependenceTableTest, AWriterWithManyReadersNeedsMoreEdgesThanFitInTheTask) {
  std::vector<Task*> readers;
  for (int i = 0; i < 100; ++i) readers.push_back(&create({in(&x)}));
  Task& writer = create({out(&x)});
  for (Task* reader : readers) {
    EXPECT_FALSE(is_ready(writer));
    complete(*reader);
  }
  EXPECT_TRUE(is_ready(writer));
}

TEST_F(DependenceTableTest, ManyReadersOfManyWritersNeedMoreRoomThanTheListsHave) {
  constexpr int kMany = 20;
  int places[kMany] = {};
  std::vector<Task*> writers, readers;
  for (int& place : places) writers.push_back(&create({out(&place)}));
  for (int i = 0; i < kMany; ++i) {
    std::vector<Dependence> all;
    for (int turn = 0; turn < 2; ++turn)  // twice the same is one edge
      for (int& place : places) all.push_back(in(&place));
    Task& task = tasks_.emplace_back();
    is_ready_.push_back(arm(task, table_.add(task, all, cache_)));
    readers.push_back(&task);
  }
  for (Task* writer : writers) {
    for (Task* reader : readers) EXPECT_FALSE(is_ready(*reader));
    complete(*writer);
  }
  for (Task* reader : readers) EXPECT_TRUE(is_ready(*reader));
}

TEST_F(DependenceTableTest, ATaskNamingAnAddressTwiceDoesNotWaitForItself) {
  Task& task = create({in(&x), out(&x)});
  EXPECT_TRUE(is_ready(task));
}

TEST_F(DependenceTableTest, DifferentAddressesAreIndependent) {
  create({out(&x)});
  EXPECT_TRUE(is_ready(create({out(&y)})));
}

TEST_F(DependenceTableTest, AnInoutsetRunsTogetherBetweenWhatComesBeforeAndAfter) {
  Task& before = create({out(&x)});
  Task& a = create({in_out_set(&x)});
  Task& b = create({in_out_set(&x)});
  Task& after = create({in(&x)});
  complete(before);
  EXPECT_TRUE(is_ready(a) && is_ready(b));
  complete(a);
  EXPECT_FALSE(is_ready(after));
  complete(b);
  EXPECT_TRUE(is_ready(after));
}

TEST_F(DependenceTableTest, AnInoutsetAfterReadersWaitsForThem) {
  Task& reader = create({in(&x)});
  Task& set = create({in_out_set(&x)});
  EXPECT_FALSE(is_ready(set));
  complete(reader);
  EXPECT_TRUE(is_ready(set));
}

TEST_F(DependenceTableTest, AMutexinoutsetHoldsOneTaskAtATime) {
  Task& a = create({mutex(&x)});
  Task& b = create({mutex(&x)});
  Task& after = create({in(&x)});
  ASSERT_TRUE(is_ready(a) && is_ready(b));
  EXPECT_TRUE(collect_exclusions(a));
  EXPECT_FALSE(collect_exclusions(b));
  Task* heir = nullptr;
  return_exclusions(a, [&](Task& task) { heir = &task; });
  EXPECT_EQ(heir, &b);
  complete(a);
  EXPECT_FALSE(is_ready(after));
  return_exclusions(b, [&](Task&) { FAIL() << "nobody is left"; });
  complete(b);
  EXPECT_TRUE(is_ready(after));
}

TEST_F(DependenceTableTest, AllMemoryWaitsForEverythingAndEverythingForIt) {
  Task& a = create({out(&x)});
  Task& b = create({in(&y)});
  Task& all = create({all_memory()});
  int z = 0;
  Task& later = create({in(&z)});
  complete(a);
  EXPECT_FALSE(is_ready(all));
  complete(b);
  EXPECT_TRUE(is_ready(all));
  EXPECT_FALSE(is_ready(later));
  complete(all);
  EXPECT_TRUE(is_ready(later));
}

// Only the thread that executes a task may write its flags from its publication on.
TEST_F(DependenceTableTest, FlagsOfPublishedTasksAreLeftAlone) {
  Task& all = create({all_memory()});
  all.flags = Task::kInTable | Task::kUntied | Task::kHasMoreParts;  // its first part ran meanwhile
  Task& after = create({in(&x), in(&y)});
  EXPECT_EQ(all.flags, Task::kInTable | Task::kUntied | Task::kHasMoreParts);
  EXPECT_EQ(all.table_references, 3u);
  EXPECT_FALSE(is_ready(after));
  complete(all);
  EXPECT_TRUE(is_ready(after));
}

TEST_F(DependenceTableTest, AllMemoryMayStandBehindOrBetweenOtherItems) {
  Task& first = create({out(&x)});
  Task& behind = create({in(&x), out(&y), all_memory()});
  Task& between = create({mutex(&x), all_memory(), in(&y)});
  Task& later = create({in(&x)});
  EXPECT_FALSE(is_ready(behind));
  complete(first);
  EXPECT_TRUE(is_ready(behind));
  EXPECT_FALSE(is_ready(between));
  complete(behind);
  EXPECT_TRUE(is_ready(between));
  EXPECT_FALSE(is_ready(later));
  complete(between);
  EXPECT_TRUE(is_ready(later));
  complete(later);
}

TEST_F(DependenceTableTest, WhatIsCompleteIsForgottenWhenRoomIsWanted) {
  std::vector<int> places(20'000);
  Task& blocked = create({out(&x)});
  Task& reader = create({in(&x)});
  for (int& place : places) {
    Task& writer = create({out(&place)});
    Task& after = create({in(&place), mutex(&y)});
    EXPECT_FALSE(is_ready(after));
    complete(writer);
    EXPECT_TRUE(collect_exclusions(after));
    return_exclusions(after, [](Task&) { FAIL() << "nobody waits for it"; });
    complete(after);
  }
  EXPECT_LE(table_.capacity(), 1024u);
  EXPECT_EQ(tasks_[100].table_references, 0u);
  EXPECT_FALSE(is_ready(reader));
  complete(blocked);
  EXPECT_TRUE(is_ready(reader));
}

TEST_F(DependenceTableTest, AWaitingTaskLeavesNoTraceInTheTable) {
  Task& writer = create({out(&x)});
  Task waiting;
  const Dependence dependence = in(&x);
  EXPECT_FALSE(arm(waiting, table_.add_waiting_only(waiting, {&dependence, 1}, cache_)));
  EXPECT_EQ(waiting.table_references, 0u);
  const auto closed = writer.successors.close(SuccessorList<>::Closing::kLeaves);
  ASSERT_EQ(closed.directs, 1u);
  EXPECT_TRUE(release_one(*closed.direct[0]));
}

TEST_F(DependenceTableTest, AReaderAmongReadersWaitsOnlyForTheWriterBeforeThem) {
  Task& writer = create({out(&x)});
  create({in(&x)});
  complete(writer);
  Task waiting;
  const Dependence dependence = in(&x);
  EXPECT_TRUE(arm(waiting, table_.add_waiting_only(waiting, {&dependence, 1}, cache_)));
}

TEST_F(DependenceTableTest, ReadersThatAreCompleteAreForgottenLongBeforeTheSetEnds) {
  g_released = 0;
  for (int i = 0; i < 10000; ++i) complete(create({in(&x)}));
  EXPECT_GT(g_released, 9000);
}

TEST_F(DependenceTableTest, ThousandsOfAddressesKeepTheirWritersApart) {
  std::vector<int> cells(5000);
  std::vector<Task*> writers;
  for (int& cell : cells) writers.push_back(&create({out(&cell)}));
  for (std::size_t i = 0; i < cells.size(); i += 500) {
    Task& reader = create({in(&cells[i])});
    EXPECT_FALSE(is_ready(reader));
    complete(*writers[i]);
    EXPECT_TRUE(is_ready(reader));
  }
}

TEST_F(DependenceTableTest, AnExportIsBetweenSiblingsAndWaitsForChildrenAsWell) {
  DependenceTable::Waiting waiting;
  Task& before = create({out(&x)});
  Task& relay = create_relay();
  table_.add_export(relay, in(&x), cache_, waiting);
  Task& reader = create({in(&x)});  // in one set with the relay
  Task& writer = create({out(&x)});
  Task& child = create_in(of_task_, {out(&x)});
  Task& elsewhere = create_in(of_task_, {out(&y)});
  const Dependence all_of_it = out(&x);
  of_task_.add_waiting_only(relay, std::span(&all_of_it, 1), cache_, waiting);
  EXPECT_EQ(waiting.predecessors, 2u);
  arm_relay(relay, waiting);
  complete(before);
  EXPECT_TRUE(is_ready(reader));
  EXPECT_FALSE(is_ready(relay));
  complete(child);
  EXPECT_TRUE(is_ready(relay));
  complete(reader);
  EXPECT_FALSE(is_ready(writer));
  complete(relay);
  EXPECT_TRUE(is_ready(writer));
  EXPECT_FALSE(elsewhere.successors.is_closed());
}

TEST_F(DependenceTableTest, AnExportMayWaitForItsTask) {
  DependenceTable::Waiting waiting;
  Task& task = tasks_.emplace_back();
  is_ready_.push_back(true);
  Task& relay = create_relay();
  table_.add_export(relay, out(&x), cache_, waiting);
  of_task_.add_own_task(relay, task, cache_, waiting);
  EXPECT_EQ(waiting.predecessors, 1u);
  arm_relay(relay, waiting);
  EXPECT_FALSE(is_ready(relay));
  complete(task);
  EXPECT_TRUE(is_ready(relay));
}

TEST_F(DependenceTableTest, ChildrenWaitForAnImportWhereTheyNameItsAddress) {
  Task& relay = create_relay();
  relay.add_table_reference();
  of_task_.import(relay, &x, cache_);
  Task& first = create_in(of_task_, {in(&x)});
  Task& second = create_in(of_task_, {out(&x)});
  Task& elsewhere = create_in(of_task_, {out(&y)});
  EXPECT_TRUE(is_ready(elsewhere));
  EXPECT_FALSE(is_ready(first));
  complete(relay);
  EXPECT_TRUE(is_ready(first));
  EXPECT_FALSE(is_ready(second));
  complete(first);
  EXPECT_TRUE(is_ready(second));
  EXPECT_TRUE(of_task_.is_valid());
}

TEST_F(DependenceTableTest, ChildrenWaitForAnImportOfAllMemoryWhateverTheyName) {
  Task& relay = create_relay();
  relay.add_table_reference();
  of_task_.import(relay, nullptr, cache_);
  Task& first = create_in(of_task_, {in(&x)});
  Task& second = create_in(of_task_, {out(&y)});
  EXPECT_FALSE(is_ready(first) || is_ready(second));
  complete(relay);
  EXPECT_TRUE(is_ready(first) && is_ready(second));
}

}  // namespace
}  // namespace heddle
