#include "team/task_handle.hpp"

#include <utility>

#include "team/tasking.hpp"

namespace heddle {

void apply_request(TaskRequest& request, Task& task) {
  const TaskRequest wanted = std::exchange(request, {});
  if (wanted.is_background) task.priority = Task::kBackground;
  if (wanted.handle == nullptr || task.is_undeferred() || (task.flags & Task::kMayMove) != 0) return;
  task.flags |= Task::kHasHandle;
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
