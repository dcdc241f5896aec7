#include "tasking/external_state.hpp"

#include <new>

#include "suspend/spawned.hpp"
#include "suspend/suspension.hpp"
#include "suspend/task_sleep.hpp"
#include "tasking/events.hpp"
#include "tasking/observed.hpp"

namespace heddle {
namespace {

ExternalState* find(const Task& task) {
  for (TaskExtension* e = task.extensions; e != nullptr; e = e->next)
    if (e->is_external) return reinterpret_cast<ExternalState*>(e);
  return nullptr;
}

ExternalState& attach(Member& me, Task& task) {
  constexpr std::size_t kBytes = sizeof(ExternalState);
  auto* const state = new (me.cache->allocate(kBytes)) ExternalState;
  state->extension = {nullptr, static_cast<std::uint32_t>(kBytes), me.cache, true};
  state->task = &task;
  TaskExtension** end = &task.extensions;  // what must come first stays first
  while (*end != nullptr) end = &(*end)->next;
  *end = &state->extension;
  task.flags.set(Task::kHasExtensions);
  return *state;
}

}  // namespace

ExternalState& external_state_of_current(Member& me) {
  Task& task = *me.context.task;
  if (SpawnedTask* const spawned = SpawnedTask::of(task)) return spawned->external;
  if (task.is_implicit()) {
    if (me.external == nullptr) {
      me.external = std::make_unique<ExternalState>();
      me.external->task = &task;
    }
    return *me.external;
  }
  ExternalState* const known = (task.flags & Task::kHasExtensions) != 0 ? find(task) : nullptr;
  return known != nullptr ? *known : attach(me, task);
}

void block_task(Member& me, ExternalState& state) {
  if (state.spawned != nullptr) return block_spawned(*state.spawned);
  Suspension self(me, WaitsFor::kUnblock, &state);
  std::uintptr_t nobody = 0;
  // release: pairs with the acquire in unblock_task()
  if (state.blocked.compare_exchange_strong(nobody, reinterpret_cast<std::uintptr_t>(&self),
                                            std::memory_order_acq_rel))
    suspend(self);
  else
    state.blocked.store(0, std::memory_order_relaxed);  // unblocked before: nobody else writes it now
}

bool unblock_task(ExternalState& state) {
  if (state.spawned != nullptr) return unblock_spawned(*state.spawned);
  std::uintptr_t before = state.blocked.load(std::memory_order_relaxed);
  std::uintptr_t after;
  do {
    if (before == ExternalState::kUnblocked) return false;
    after = before == 0 ? ExternalState::kUnblocked : 0;
  } while (!state.blocked.compare_exchange_weak(before, after, std::memory_order_acq_rel,
                                                std::memory_order_relaxed));
  if (before != 0) resume(*reinterpret_cast<Suspension*>(before));
  return true;
}

bool increase_events(Member& me, ExternalState& state, std::uint64_t count) {
  if (count == 0) return true;
  Task& task = *me.context.task;
  if (task.is_implicit() || state.spawned != nullptr) {
    state.events.fetch_add(count, std::memory_order_relaxed);
    return true;
  }
  if (task.is_recorded()) {
    if (state.events.load(std::memory_order_relaxed) == 0)
      state.events.store(ExternalState::kBodyEvent, std::memory_order_relaxed);
  } else if ((task.event.load(std::memory_order_relaxed) & Task::kHasEvents) == 0) {
    if (task.is_detachable()) return false;  // a detach clause has the only event
    state.events.store(ExternalState::kBodyEvent, std::memory_order_relaxed);
    task.event.fetch_or(Task::kHasEvents, std::memory_order_relaxed);
    task.flags.set(Task::kDetachable);
  }
  state.events.fetch_add(count, std::memory_order_relaxed);
  return true;
}

void decrease_events(ExternalState& state, std::uint64_t count) {
  if (state.spawned != nullptr) return decrease_events_of_spawned(*state.spawned, count);
  Task& task = *state.task;
  const bool is_implicit = task.is_implicit();
  // release: pairs with the acquire of who completes the task
  if (state.events.fetch_sub(count, std::memory_order_acq_rel) != count || is_implicit) return;
  if (state.waiter != nullptr)
    resume(*state.waiter);
  else
    fulfill_event(task);
}

std::uint64_t pending_events(const ExternalState& state) {
  return state.events.load(std::memory_order_acquire) & ~ExternalState::kBodyEvent;
}

void end_body_of_external(Task& task) {
  if (find(task)->events.fetch_sub(ExternalState::kBodyEvent, std::memory_order_acq_rel) ==
      ExternalState::kBodyEvent) {
    if (has_tool()) [[unlikely]]
      tell_fulfilled(task);
    task.event.fetch_or(Task::kFulfilled, std::memory_order_relaxed);
  }
}

void wait_for_events_of_node(Member& me, Task& task) {
  ExternalState* const state = find(task);
  if (state == nullptr || state->events.load(std::memory_order_relaxed) == 0) return;
  Suspension self(me, WaitsFor::kEventsOfLibrary, state);
  state->waiter = &self;
  // release: pairs with the acquire of who resumes it
  if (state->events.fetch_sub(ExternalState::kBodyEvent, std::memory_order_acq_rel) !=
      ExternalState::kBodyEvent)
    suspend(self);
  state->waiter = nullptr;
  if ((task.event.load(std::memory_order_relaxed) & Task::kHasEvents) == 0) return;
  task.event.fetch_and(static_cast<std::uint16_t>(~Task::kHasEvents), std::memory_order_relaxed);
  task.flags.clear(Task::kDetachable);  // the next node's
}

void wait_for_events_of_implicit(Member& me) {
  constexpr std::int64_t kPauseNs = 20'000;
  while (me.external->events.load(std::memory_order_acquire) != 0) sleep_task(me, kPauseNs);
  me.external.reset();
}

}  // namespace heddle
