#include "tasking/work.hpp"

#include "sched/limits.hpp"
#include "suspend/polling.hpp"
#include "suspend/work.hpp"
#include "tasking/children.hpp"
#include "tasking/complete.hpp"
#include "tasking/execute.hpp"
#include "tasking/private_chunks.hpp"
#include "tasking/task_wait.hpp"
#include "tasking/undeferred.hpp"
#include "tasking/wait.hpp"

namespace heddle {
namespace {

void work_until_next(Member& me) {
  run_tasks_until(me, [&me] { return has_next(me); }, Executes::kOnTop);
}

void execute_at_base(Member& me, Task& task) {
  if (Task* const successor = execute(me, task)) make_ready(me, *successor);
  announce_completions(me);
}

void end_created(Member& me, Task& task, bool is_counted) {
  if (!is_counted && !task.is_detachable()) [[likely]] {
    end_inline_on_own_stack(me, task);
  } else {
    if (!is_counted) count_late(me, task);  // it has events outside OpenMP
    if (Task* const successor = end_body(me, task)) make_ready(me, *successor);
    announce_completions(me);
  }
  if (needs_poll()) [[unlikely]]
    poll(me);
}

// `self` stays where it is, and its thread executes tasks on top of it. Those may do the same, one on top of
// the other. Descendants come first: they wait for nothing below them. Others follow, since they
// may do what `self` waits for, unless so many tasks lie on this stack that it could end.
void execute_in_place(Member& me, Suspension& self, Task* first) {
  const auto goes_on = [&] { return self.may_go_on || has_next(me); };
  const bool may_start_others = me.context.inline_depth < limits::kDeepestInPlace;
  const Nested here(me.context);
  if (first != nullptr) execute_chain(me, *first, goes_on);
  while (may_start_others && !goes_on()) {
    Task* const task = find_task(me, Look::kLast);
    if (task == nullptr) break;
    execute_chain(me, *task, goes_on);
  }
  if (may_start_others) me.context.constraint = nullptr;
  run_tasks_until(me, goes_on, Executes::kOnTop);
}

void wait_for_descendants(Member& me, ImplicitTask& task, TaskGroup& descendants) {
  wait_for_group(me, descendants);
  forget_dependences(this_member(), task);  // the thread may be another one now
}

}  // namespace

void connect_tasking_to_suspend() {
  give_work({.announce = announce_completions,
             .before_wait = publish_private_chunks,
             .until_next = work_until_next,
             .execute = execute_at_base,
             .end_created = end_created,
             .in_place = execute_in_place,
             .put_off = make_ready,
             .count_late = count_late,
             .wait_for_descendants = wait_for_descendants,
             .find = [](Member& place) { return find_task(place, Look::kLast); }});
}

}  // namespace heddle
