#include "sched/chosen_order.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <fstream>

namespace heddle {
namespace {

class TeamOrderTest : public ::testing::Test {
 protected:
  Task& task(Task* parent) {
    Task& t = tasks_.emplace_back();
    t.parent = parent;
    t.depth = parent != nullptr ? static_cast<std::uint16_t>(parent->depth + 1) : 0;
    return t;
  }
  // A region of a program that has done nothing yet.
  Task& open_region(TeamOrder& order) {
    Task &initial = task(nullptr), &implicit = task(nullptr);
    order.begin_implicit(initial, 0);
    order.open_region(initial);
    order.begin_implicit(implicit, 0);
    return implicit;
  }
  Task& child(TeamOrder& order, Task& parent) {
    Task& t = task(&parent);
    order.created(t, nullptr);
    order.make_ready(t);
    return t;
  }

  std::deque<Task> tasks_;
};

TEST_F(TeamOrderTest, TakesByRankWhatMayBeStarted) {
  ChosenOrder whole(OrderPolicy::replay({"1:0.1", "1:0.0.0", "1:0.0"}), "");
  TeamOrder order(whole);
  Task& implicit = open_region(order);
  Task &a = child(order, implicit), &b = child(order, implicit), &a_child = child(order, a);
  EXPECT_EQ(order.take({&a}), &a_child);
  EXPECT_EQ(order.take({&a}), nullptr);
  EXPECT_EQ(order.take({}), &b);
  EXPECT_EQ(order.take({}), &a);
  EXPECT_EQ(order.take({}), nullptr);
}

TEST_F(TeamOrderTest, GoesOnAtAPointWhereTheListSaysSo) {
  ChosenOrder whole(OrderPolicy::replay({"1:0~0", "1:0.1", "1:0~1", "1:0.0"}), "");
  TeamOrder order(whole);
  Task& implicit = open_region(order);
  Task& first = child(order, implicit);
  EXPECT_EQ(order.take_at_point(implicit, {&implicit}, 0, false, false), nullptr);
  Task& second = child(order, implicit);
  EXPECT_EQ(order.take_at_point(implicit, {&implicit}, 0, false, false), &second);
  EXPECT_EQ(order.take_at_point(implicit, {&implicit}, 0, false, false), nullptr);
  EXPECT_EQ(order.take({&implicit}), &first);
}

TEST_F(TeamOrderTest, GoesOnWhereTheStackIsDeep) {
  ChosenOrder whole(OrderPolicy::serial(), "");
  TeamOrder order(whole);
  Task& implicit = open_region(order);
  Task& only = child(order, implicit);
  EXPECT_EQ(order.take_at_point(implicit, {&implicit}, 0, false, true), nullptr);
  EXPECT_EQ(order.take_at_point(implicit, {&implicit}, 0, false, false), &only);
}

TEST_F(TeamOrderTest, LogsNamesThatDoNotDependOnTheSchedule) {
  const std::string file = testing::TempDir() + "team_order_test.log";
  {
    ChosenOrder whole(OrderPolicy::serial(), file);
    TeamOrder order(whole);
    Task& implicit = open_region(order);
    Task& first = child(order, implicit);
    order.starts(first, 0);
    order.ends(first, 0);
    order.take_at_point(implicit, {&implicit}, 0, true, false);
    Task& second = child(order, implicit);
    order.take_at_point(implicit, {&implicit}, 0, true, false);
    order.starts(second, 3);
    order.open_region(second);  // a nested one
    Task& inner = task(nullptr);
    order.begin_implicit(inner, 2);
    child(order, inner);
    order.starts_undeferred(child(order, inner), 2);
    order.starts(second, 3);  // its next part
  }
  std::ifstream in(file);
  std::string line, text;
  while (std::getline(in, line)) text += line + '\n';
  EXPECT_EQ(text,
            "heddle order 1\n"
            "c 0 0x0 - -\n"
            "s 1:0.0 0 0 !\n"
            "e 1:0.0 0\n"
            "g 1:0~0 0 1:0.0\n"
            "g 1:0~1 0 1:0.1\n"
            "s 1:0.1 0 3\n"
            "u 1:0.1/1:2.1 0 2\n"
            "s 1:0.1+1 0 3\n");
}

}  // namespace
}  // namespace heddle
