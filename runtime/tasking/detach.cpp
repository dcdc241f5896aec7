#include "tasking/detach.hpp"

#include <new>

#include "graph/task_log.hpp"
#include "suspend/continuation.hpp"
#include "suspend/polling.hpp"
#include "suspend/spawned.hpp"
#include "suspend/suspension.hpp"
#include "sys/fatal.hpp"
#include "tasking/complete.hpp"
#include "team/recorder.hpp"
#include "team/team.hpp"
#include "trace/observer.hpp"

namespace heddle {
namespace {

[[noreturn]] void refuse_to_fulfill_again() {
  fatal("omp_fulfill_event: this event is fulfilled already; fulfil it once");
}

}  // namespace

void fulfill_event(void* handle) {
  if (ContinuationEvent::is_handle(handle)) {
    fulfill_continuation(handle);
  } else if (GraphEvent* const event = GraphEvent::of_handle(handle)) {
    if (Task* const task = event->fulfilled()) {
      if (event->was_fulfilled(task)) refuse_to_fulfill_again();
      fulfill_event(*task);
    }
  } else {
    return fulfill_event(*static_cast<Task*>(handle));
  }
  // A poller is no part of the region that its thread records.
  Member* const me = known_member();
  if (me != nullptr && is_recording(*me) && !is_in_poller()) [[unlikely]]
    recorder().refuse(*me, "its code fulfils an event");
}

void fulfill_event(Task& task) {
  if (task.status.is_fulfilled()) refuse_to_fulfill_again();
  observe(&Observer::event_fulfilled, task);
  Team& team = *implicit_ancestor(task).place->team;
  team.visitors.enter();  // the team stays until we are done with it
  const int creator = task.creator;
  using Fulfilled = TaskStatus<>::Fulfilled;
  const Fulfilled then = task.status.fulfill();
  if (then == Fulfilled::kWakesCreator) {
    team.parking.wake(creator);
  } else if (then == Fulfilled::kCompletes) {
    observe(&Observer::event_has_come, task);
    Member& me = this_member();
    if (me.team == &team && takes_part(me)) {
      Completion where{team, *me.cache, &me};
      if (Task* successor = complete(where, task)) make_ready(me, *successor);
      announce_completions(me);
    } else {
      Completion where{team, this_worker().cache, nullptr};
      complete(where, task);
    }
    // Nobody in the barrier saw this task end: they have to look again.
    team.parking.wake_all(team.places);
  }
  team.visitors.leave();
}

namespace {

ExternalState* find(const Task& task) {
  for (TaskExtension* e = task.extensions; e != nullptr; e = e->next)
    if (e->kind == TaskExtension::Kind::kExternal) return reinterpret_cast<ExternalState*>(e);
  return nullptr;
}

ExternalState& attach(Member& me, Task& task) {
  constexpr std::size_t kBytes = sizeof(ExternalState);
  auto* const state = new (me.cache->allocate(kBytes)) ExternalState;
  state->extension = {nullptr, static_cast<std::uint32_t>(kBytes), me.cache, TaskExtension::Kind::kExternal};
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
  if (state.blocked.begin_wait(self)) suspend(self);
}

bool unblock_task(ExternalState& state) {
  if (state.spawned != nullptr) return unblock_spawned(*state.spawned);
  Suspension* waiter = nullptr;
  if (!state.blocked.unblock(&waiter)) return false;
  if (waiter != nullptr) resume(*waiter);
  return true;
}

bool increase_events(Member& me, ExternalState& state, std::uint64_t count) {
  if (count == 0) return true;
  Task& task = *me.context.task;
  if (task.is_implicit() || state.spawned != nullptr) {
    state.events.add(count);
    return true;
  }
  if (task.is_recorded()) {
    if (state.events.is_empty()) state.events.begin_body();
  } else if (!task.status.has_events()) {
    if (task.is_detachable()) return false;  // a detach clause has the only event
    state.events.begin_body();
    task.status.expect_events();
    task.flags.set(Task::kDetachable);
  }
  state.events.add(count);
  return true;
}

void decrease_events(ExternalState& state, std::uint64_t count) {
  if (state.spawned != nullptr) return decrease_events_of_spawned(*state.spawned, count);
  Task& task = *state.task;
  const bool is_implicit = task.is_implicit();
  if (!state.events.done(count) || is_implicit) return;
  if (state.waiter != nullptr)
    resume(*state.waiter);
  else
    fulfill_event(task);
}

std::uint64_t pending_events(const ExternalState& state) {
  return state.events.count();
}

void end_body_of_external(Task& task) {
  if (find(task)->events.end_body()) {
    observe(&Observer::event_fulfilled, task);
    task.status.fulfill_early();
  }
}

void wait_for_events_of_node(Member& me, Task& task) {
  ExternalState* const state = find(task);
  if (state == nullptr || state->events.is_empty()) return;
  Suspension self(me, WaitsFor::kEventsOfLibrary, state);
  state->waiter = &self;
  if (!state->events.end_body()) suspend(self);
  state->waiter = nullptr;
  if (!task.status.has_events()) return;
  task.status.forget_events();
  task.flags.clear(Task::kDetachable);  // the next node's
}

void wait_for_events_of_implicit(Member& me) {
  constexpr std::int64_t kPauseNs = 20'000;
  while (me.external->events.count() != 0) sleep_task(me, kPauseNs);
  me.external.reset();
}

}  // namespace heddle
