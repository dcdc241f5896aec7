#include "tasking/observed.hpp"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "sys/machine.hpp"
#include "sys/relax.hpp"
#include "tasking/cancellation.hpp"

// Of programs that are built with ThreadSanitizer.
extern "C" [[gnu::weak]] void __tsan_init();

namespace heddle {
namespace {

// Of ToolTask::first_end: which came first, or that a tool is being told that the body has.
constexpr std::uint8_t kBodyReturned = 1, kFulfilled = 2, kReturns = 3;

ompt_dependence_type_t type_of(const Dependence& dependence) {
  switch (dependence.kind) {
    case AccessKind::kIn:
      return ompt_dependence_type_in;
    case AccessKind::kOut:
      return dependence.is_all_memory ? ompt_dependence_type_out_all_memory : ompt_dependence_type_inout;
    case AccessKind::kMutexInOutSet:
      return ompt_dependence_type_mutexinoutset;
    case AccessKind::kInOutSet:
      return ompt_dependence_type_inoutset;
  }
  return ompt_dependence_type_inout;
}

void tell_dependences(Task& task, std::span<const Dependence> dependences) {
  std::vector<ompt_dependence_t> all(dependences.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].variable.ptr = const_cast<void*>(static_cast<const void*>(dependences[i].address));
    all[i].dependence_type = type_of(dependences[i]);
  }
  tell_tool<ompt_callback_dependences_t>(ompt_callback_dependences, &tool_task(task).data, all.data(),
                                         static_cast<int>(all.size()));
}

// Whether the task is detached: its body has returned, and its event is not fulfilled yet.
bool is_detached(Task& task) {
  std::uint8_t nothing = 0;
  return task.is_detachable() && tool_task(task).first_end.compare_exchange_strong(nothing, kReturns);
}

// Its body, or a part of it, has returned.
void tell_returned(Member& me, Task& task, Task& resumed) {
  ompt_task_status_t status = ompt_task_complete;
  if ((task.flags & Task::kHasMoreParts) != 0)
    status = ompt_task_switch;
  else if ((task.flags & Task::kDiscarded) != 0 || is_discarded(*me.team, task))
    status = ompt_task_cancel;
  else if (is_detached(task))
    status = ompt_task_detach;
  me.told.task = &resumed;
  tell_schedule(task, status, &resumed);
  // release: pairs with the acquire in tell_fulfilled()
  if (status == ompt_task_detach) tool_task(task).first_end.store(kBodyReturned, std::memory_order_release);
}

// Not where an implicit task's code has ended, and it waits for the end of its region.
bool is_in_program(Task& task) {
  const ToolTask& tool = tool_task(task);
  return (tool.flags & ompt_task_implicit) == 0 || tool.frame.exit_frame.ptr != nullptr;
}

// Of constructs that say nothing of their tasks, as those for devices.
void tell_if_unknown(Member& me, Task& task) {
  if (tool_task(task).flags != 0) return;
  ToldTask told;
  told.is_undeferred = task.is_undeferred();
  const Pushed creator(me.context.task, task.parent);  // what the tool asks concerns it
  tell_created(me, task, told);
}

void tell_begins_chunk(Member& me, Task& task) {
  const ToolTask& tool = tool_task(task);
  if (tool.chunk.iterations != 0) tell_taskloop_chunk(me, tool.chunk);
}

void run_body_in_order(Member& me, Task& task) {
  TeamOrder& order = *me.team->order;
  hesitate(me);
  order.starts(task, me.number);
  task.body(task);
  order.ends(task, me.number);
}

}  // namespace

void hesitate(Member& me) {
  if (me.team_size == 1) return;
  const std::int64_t delay_ns = std::int64_t{me.team->order->delay_us()} * 1000;
  if (delay_ns == 0) return;
  for (const std::int64_t until = monotonic_ns() + delay_ns; monotonic_ns() < until;) yield_cpu();
}

std::size_t observed_bytes(std::size_t bytes) {
  if (!has_tool()) return bytes;
  const std::size_t all =
      (bytes + alignof(ToolTask) - 1) / alignof(ToolTask) * alignof(ToolTask) + sizeof(ToolTask);
  // ThreadSanitizer knows from malloc() and free() alone that memory serves another purpose. In a cache's
  // block the creator of the next task seems to write what the last one has read. Larger ones are the
  // system's.
  constexpr std::size_t kOfSystem = 2 * MemoryCache::kLargestClass;
  return __tsan_init != nullptr ? std::max(all, kOfSystem) : all;
}

void begin_observed(Member& me, Task& task, const void* code) {
  if (me.team->order != nullptr) me.team->order->created(task, code);
  if (has_tool()) (new (&tool_task(task)) ToolTask)->code = code;
}

void tell_created(Member& me, Task& task, const ToldTask& told) {
  if (!has_tool()) return;
  ToolTask& tool = tool_task(task);
  tool.flags = told.is_taskwait ? ompt_task_taskwait : ompt_task_explicit;
  // A graph's tasks are queued, whatever the team is.
  const bool is_alone = me.team_size == 1 && task.kind != Task::kRecorded;
  if (told.is_undeferred || is_alone) tool.flags |= ompt_task_undeferred;
  if (task.is_untied()) tool.flags |= ompt_task_untied;
  if (task.is_final()) tool.flags |= ompt_task_final;
  if (told.is_merged) tool.flags |= ompt_task_mergeable;
  if (told.code != nullptr) tool.code = told.code;
  Task& creating = *task.parent;
  ToolTask& creator = tool_task(creating);
  const bool has_entered = enter_runtime(creating, __builtin_frame_address(0));
  tell_tool<ompt_callback_task_create_t>(ompt_callback_task_create, &creator.data, &creator.frame, &tool.data,
                                         tool.flags, told.dependences.empty() ? 0 : 1, told.where.address);
  if (!told.dependences.empty()) tell_dependences(task, told.dependences);
  if (has_entered) leave_runtime(creating);
}

void run_observed_body(Member& me, Task& task, Task& resumed) {
  const bool is_told = has_tool();
  bool has_entered = false;
  if (is_told) {
    tool_task(task).below = &resumed;
    if (is_in_program(resumed)) has_entered = enter_runtime(resumed, __builtin_frame_address(0));
    tell_if_unknown(me, task);
    tell_goes_on(me, task);
    if ((task.flags & Task::kDiscarded) != 0)
      tell_cancel(me, ompt_cancel_taskgroup | ompt_cancel_discarded_task, {});
    tell_begins_chunk(me, task);
  }
  const ompt_state_t state = std::exchange(me.worker->tool_state, ompt_state_work_parallel);
  if (me.team->order != nullptr)
    run_body_in_order(me, task);
  else
    task.body(task);
  Member& now = this_member();
  now.worker->tool_state = state;
  if (is_told) tell_returned(now, task, resumed);
  if (has_entered) leave_runtime(resumed);
}

void begin_observed_undeferred(Member& me, Task& task) {
  if (me.team->order != nullptr) me.team->order->starts_undeferred(task, me.number);
  if (!has_tool()) return;
  tool_task(task).below = task.parent;
  tool_task(task).has_entered_creator = enter_runtime(*task.parent, __builtin_frame_address(0));
  // What is no task of the program's is not told of.
  if (tool_task(task).is_hidden) return;
  tell_if_unknown(me, task);
  if ((tool_task(task).flags & ompt_task_taskwait) != 0) return;
  tell_goes_on(me, task);
  tell_begins_chunk(me, task);
}

void end_observed_undeferred(Member& me, Task& task) {
  if (!has_tool()) return;
  if ((tool_task(task).flags & ompt_task_taskwait) != 0)
    tell_schedule(task, ompt_taskwait_complete, nullptr);
  else if (!tool_task(task).is_hidden)
    tell_returned(me, task, *task.parent);
  if (tool_task(task).has_entered_creator) leave_runtime(*task.parent);
}

void tell_created_if_observed(Member& me, Task& task, std::span<const Dependence> dependences) {
  if (me.is_observed) tell_created(me, task, {{}, dependences});
}

void keep_chunk_for_tool(Task& task, std::uint64_t start, std::uint64_t iterations) {
  if (has_tool()) tool_task(task).chunk = {start, iterations};
}

void hide_from_tool(Task& task) {
  if (has_tool()) tool_task(task).is_hidden = true;
}

void tell_fulfilled(Task& task) {
  std::atomic<std::uint8_t>& first = tool_task(task).first_end;
  std::uint8_t nothing = 0;
  const bool is_early = first.compare_exchange_strong(nothing, kFulfilled);
  while (!is_early && first.load(std::memory_order_acquire) == kReturns) yield_cpu();
  tell_schedule(task, is_early ? ompt_task_early_fulfill : ompt_task_late_fulfill, nullptr);
}

}  // namespace heddle
