#include "replay/ready_graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace heddle {
namespace {

using Edges = std::vector<std::pair<std::size_t, std::size_t>>;

// A graph of tasks that note their numbers.
struct Program {
  explicit Program(std::size_t count, const Edges& edges) : numbers(count), first(count + 1) {
    for (std::size_t i = 0; i < count; ++i) {
      numbers[i] = {this, i};
      tasks.push_back({[](void* data) {
                         const auto* const number = static_cast<Number*>(data);
                         number->program->executed.push_back(number->task);
                       },
                       &numbers[i], 0});
    }
    for (std::size_t i = 0; i < count; ++i) {
      first[i] = successors.size();
      for (const auto& [from, to] : edges)
        if (from == i) successors.push_back(to);
    }
    first[count] = successors.size();
  }
  ReadyMade graph() const { return {tasks.size(), tasks.data(), first.data(), successors.data(), 0}; }

  struct Number {
    Program* program;
    std::size_t task;
  };
  std::vector<Number> numbers;
  std::vector<ReadyMadeTask> tasks;
  std::vector<std::size_t> first, successors;
  std::vector<std::size_t> executed;
};

std::vector<std::size_t> executed_serially(Program& program) {
  Recording recording;
  EXPECT_EQ(record(program.graph(), recording), nullptr);
  const Graph graph(recording);
  for (const GraphNode& node : graph.nodes()) node.execute();
  return program.executed;
}

void expect_ordered(const std::vector<std::size_t>& executed, std::size_t count, const Edges& edges) {
  ASSERT_EQ(executed.size(), count);
  std::vector<std::size_t> at(count, count);
  for (std::size_t i = 0; i < count; ++i) at[executed[i]] = i;
  EXPECT_EQ(std::ranges::count(at, count), 0);
  for (const auto& [from, to] : edges) EXPECT_LT(at[from], at[to]) << from << " before " << to;
}

TEST(ReadyMade, TasksKeepTheirOrderWhereEdgesLeadUpwards) {
  Program program(5, {{0, 2}, {1, 2}, {2, 4}});
  EXPECT_EQ(executed_serially(program), (std::vector<std::size_t>{0, 1, 2, 4, 3}));  // a chain is one segment
}

TEST(ReadyMade, EachTaskComesOnceAndAfterItsPredecessors) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = 1 + random() % 60;
    std::vector<std::size_t> rank(count);  // edges lead from a lower rank to a higher one
    for (std::size_t i = 0; i < count; ++i) rank[i] = i;
    std::ranges::shuffle(rank, random);
    Edges edges;
    for (std::size_t e = random() % (3 * count); e > 0; --e) {
      std::size_t a = random() % count, b = random() % count;
      if (rank[a] > rank[b]) std::swap(a, b);
      if (a != b) edges.emplace_back(a, b);  // some of them twice
    }
    Program program(count, edges);
    expect_ordered(executed_serially(program), count, edges);
  }
}

TEST(ReadyMade, EdgesStandOnce) {
  Program program(2, {{1, 0}, {1, 0}, {1, 0}});
  Recording recording;
  ASSERT_EQ(record(program.graph(), recording), nullptr);
  EXPECT_EQ(recording.predecessors_of(1).size(), 1u);
}

TEST(ReadyMade, AnEmptyGraphHasNothingToDo) {
  Program program(0, {});
  EXPECT_TRUE(executed_serially(program).empty());
}

TEST(ReadyMade, WhatIsWrongIsSaidAndNothingIsRecorded) {
  const auto wrong = [](const Program& program) {
    Recording recording;
    const char* const said = record(program.graph(), recording);
    EXPECT_TRUE(recording.nodes().empty());
    return std::string(said != nullptr ? said : "");
  };
  EXPECT_EQ(wrong(Program(2, {{0, 1}, {1, 0}})), "some of its tasks wait for themselves, in a cycle");
  EXPECT_EQ(wrong(Program(3, {{0, 1}, {2, 2}})), "some of its tasks wait for themselves, in a cycle");
  EXPECT_EQ(wrong(Program(2, {{0, 2}})), "a successor is no task of it");
  Program descends(3, {{0, 1}, {1, 2}});
  descends.first[1] = 2;
  descends.first[2] = 1;
  EXPECT_EQ(wrong(descends), "first_successor descends");
  Program begins_late(2, {{0, 1}});
  begins_late.first[0] = 1;
  EXPECT_EQ(wrong(begins_late), "first_successor does not begin with 0");
  Program has_none(1, {});
  has_none.tasks[0].run = nullptr;
  EXPECT_EQ(wrong(has_none), "a task has no function");
}

}  // namespace
}  // namespace heddle
