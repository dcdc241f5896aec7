// Names of tasks that do not depend on the schedule: the same task has the same name in every run of a
// program that creates the same tasks.
//
// A name is the way to the task from its region: "1:0.17.3" is the fourth task that was created by the
// eighteenth task of member 0 of the first region. Regions are counted by the task that opens them; those
// that a task other than the program's first opens have its name before theirs, as in "1:0.17/1:2.0". "0:N"
// is what thread N of the program executes outside all regions.
//
// Kept apart from the tasks, by address: nothing of this costs a byte where names are not asked for. Threads:
// the caller's lock guards it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "task/task.hpp"

namespace heddle {

struct NamedTask {
  std::string name = "?";
  const void* code = nullptr;
  std::uint64_t number = 0;  // counts the tasks of the process as they were created, from 1 on
  std::uint32_t children = 0;
  std::uint32_t regions = 0;
  std::uint32_t points = 0;       // that it has come to
  std::uint32_t parts = 0;        // that have begun, of an untied task
  const Task* newborn = nullptr;  // the child that it has created, while it stands at the point behind that
};

class TaskNames {
 public:
  /// What is known of a task; a blank where it was never named.
  NamedTask& of(const Task& task) { return tasks_[&task]; }

  void name_implicit(const Task& task, const std::string& name) { tasks_[&task] = NamedTask{name}; }
  void name_child(const Task& task, const void* code);

  /// What the members of a region that `task` opens begin their names with.
  std::string name_region(const Task& task);

  /// Items of an order (order_policy.hpp): the task's next part, and its going on behind the present point.
  std::string start_of(const Task& task);
  std::string going_on_of(const Task& task);
  /// The child at whose creation the task stands; empty at other points.
  std::string newborn_of(const Task& task);

 private:
  std::uint64_t named_ = 0;
  std::unordered_map<const Task*, NamedTask> tasks_;  // an address is named anew with each task that gets it
};

}  // namespace heddle
