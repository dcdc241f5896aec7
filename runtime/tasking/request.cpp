#include "tasking/request.hpp"

#include <utility>

#include "suspend/suspension.hpp"
#include "tasking/transparent.hpp"

namespace heddle {
namespace {

TaskRequest take_request(Member& me) {
  if (!me.requests.task.is_empty()) me.reasons.remove(Reason::kRequest);
  return std::exchange(me.requests.task, {});
}

}  // namespace

void request(Member& me, const TaskRequest& more) {
  TaskRequest& wanted = me.requests.task;
  me.reasons.add(Reason::kRequest);
  wanted.is_background |= more.is_background;
  wanted.is_transparent |= more.is_transparent;
  if (more.handle != nullptr) wanted.handle = more.handle;
}

void request_transparent(Member& me, const Transparency& more) {
  expect_suspension();
  Transparency& how = me.requests.transparency;
  how.is_for_all_memory |= more.is_for_all_memory;
  how.is_weak |= more.is_weak;
  how.weak.insert(how.weak.end(), more.weak.begin(), more.weak.end());
  request(me, {.is_transparent = true});
}

void apply_request(Member& me, Task& task) {
  const TaskRequest wanted = take_request(me);
  if (wanted.is_background) task.priority = Task::kBackground;
  if (wanted.is_transparent) make_transparent(me, task, std::exchange(me.requests.transparency, {}));
  if (wanted.handle == nullptr || task.is_undeferred() || (task.flags & Task::kMayMove) != 0) return;
  task.flags.set(Task::kHasHandle);
  task.add_reference();  // the queue's
  task.add_reference();  // the handle's
  *wanted.handle = &task;
}

RequestAside::RequestAside(Member& me)
    : me_(me), task_(take_request(me)), transparency_(std::exchange(me.requests.transparency, {})) {}

RequestAside::~RequestAside() {
  if (task_.is_empty()) return;
  me_.requests.transparency = std::move(transparency_);
  request(me_, task_);
}

}  // namespace heddle
