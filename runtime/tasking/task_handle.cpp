#include "tasking/task_handle.hpp"

#include <utility>

#include "task/release.hpp"
#include "tasking/execution.hpp"

namespace heddle {

void request(Member& me, const TaskRequest& more) {
  TaskRequest& wanted = me.requests.task;
  me.reasons.add(Reason::kRequest);
  wanted.is_background |= more.is_background;
  if (more.handle != nullptr) wanted.handle = more.handle;
}

TaskRequest take_request(Member& me) {
  if (!me.requests.task.is_empty()) me.reasons.remove(Reason::kRequest);
  return std::exchange(me.requests.task, {});
}

void apply_request(Member& me, Task& task) {
  const TaskRequest wanted = take_request(me);
  if (wanted.is_background) task.priority = Task::kBackground;
  if (wanted.handle == nullptr || task.is_undeferred() || (task.flags & Task::kMayMove) != 0) return;
  task.flags.set(Task::kHasHandle);
  task.add_reference();  // the queue's
  task.add_reference();  // the handle's
  *wanted.handle = &task;
}

RunNow run_task_now(Member& me, Task& task) {
  if ((task.event.load(std::memory_order_acquire) & Task::kReady) == 0) return RunNow::kNotReady;
  if (!task.claim()) {
    give_handle_back(me, task);
    return RunNow::kStarted;
  }
  run_claimed(me, task);
  give_handle_back(me, task);
  return RunNow::kDone;
}

void give_handle_back(Member& me, Task& task) {
  if (task.drop_reference()) release_task(task, *me.cache);
}

}  // namespace heddle
