#include "sched/task_names.hpp"

namespace heddle {

void TaskNames::name_child(const Task& task, const void* code) {
  NamedTask& parent = of(*task.parent);
  NamedTask child;
  child.name = parent.name + '.' + std::to_string(parent.children++);
  child.code = code;
  child.number = ++named_;
  parent.newborn = &task;
  tasks_[&task] = std::move(child);
}

std::string TaskNames::name_region(const Task& task) {
  NamedTask& opener = of(task);
  const std::string number = std::to_string(++opener.regions) + ':';
  return opener.name == "0:0" ? number : opener.name + '/' + number;
}

std::string TaskNames::start_of(const Task& task) {
  const NamedTask& known = of(task);
  return known.parts == 0 ? known.name : known.name + '+' + std::to_string(known.parts);
}

std::string TaskNames::going_on_of(const Task& task) {
  const NamedTask& known = of(task);
  return known.name + '~' + std::to_string(known.points);
}

std::string TaskNames::newborn_of(const Task& task) {
  const NamedTask& known = of(task);
  if (known.newborn == nullptr) return {};
  return known.name + '.' + std::to_string(known.children - 1);
}

}  // namespace heddle
