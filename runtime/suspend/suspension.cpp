#include "suspend/suspension.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <utility>

#include "base/relaxed_atomic.hpp"
#include "fiber/stack_pool.hpp"
#include "icv/icvs.hpp"
#include "icv/settings.hpp"
#include "suspend/poll_count.hpp"
#include "suspend/spawned_task.hpp"
#include "suspend/work.hpp"
#include "sys/fatal.hpp"
#include "sys/fp_modes.hpp"
#include "sys/loaded_objects.hpp"
#include "sys/native_thread.hpp"
#include "sys/processor.hpp"
#include "team/team.hpp"
#include "trace/observer.hpp"

namespace heddle {
namespace {

std::span<const char* const> g_suspending_functions;
// As many objects had been loaded. Relaxed: a thread that reads an old number looks once more.
RelaxedAtomic<std::uint64_t> g_objects_looked_at{0};

void set_sleeper(Member& me, FiberStack* stack, Suspension* sleeper) {
  if (stack != nullptr)
    stack->sleeper = sleeper;
  else
    me.suspended.on_own_stack = sleeper;
}

// A context that goes on does this first.
void end_switch(Worker& worker) {
  const Departure left = std::exchange(worker.departure, {});
  if (left.stack != nullptr) worker.stacks.give_back(*left.stack);
  if (left.spawned != nullptr) has_left(*left.spawned);
}

// At the base of a stack, or back in a spawned task: nothing of what ran here before matters.
void begin(Member& me, Task& task) {
  me.context.restart(task, me.context.stack);
}

// The suspension that goes on now. `self` is about to leave its thread: a creator below goes on before what
// is queued unless self waits for just that.
Suspension* take_next(Member& me, const Suspension* self = nullptr) {
  const bool waits_for_tasks =
      self == nullptr || self->reason == WaitsFor::kChildren || self->reason == WaitsFor::kGroup;
  return me.suspended.take_next(self, !waits_for_tasks || !me.team->ready.holds(me.number, 1));
}

// At the base of a stack: executes tasks until somebody is next.
Suspension& next_of(Member& me) {
  for (;;) {
    if (Suspension* const next = take_next(me)) return *next;
    work().until_next(me);
  }
}
[[gnu::noinline]] Suspension& next_on_this_thread() {
  Member& me = this_member();
  begin(me, me.implicit_task);
  return next_of(me);
}

// The current task is about to be left. Its creator may go on before it does, whatever the reason.
void count_current(Member& me) {
  if (Task* const task = std::exchange(me.context.new_child, nullptr)) work().count_late(me, *task);
}

// The thread comes from the task's creation, and goes back there when the task has ended or left. Returns
// what created it, where it has not left.
Suspension* serve_creation(Member& me, Task& task) {
  const int depth = me.context.inline_depth + 1;  // it is the creator's still
  begin(me, task);
  me.context.inline_depth = depth;
  me.context.new_child = &task;
  task.owner.store(static_cast<std::uint16_t>(me.number));
  Cutoff& cutoff = me.policy.cutoff;
  const bool is_timed = me.team_size > 1 && cutoff.is_due();
  const std::uint64_t since = cutoff.executed();
  const std::uint64_t began = is_timed ? ticks() : 0;
  task.body(task);
  const bool has_left = me.context.new_child == nullptr;
  if (is_timed) [[unlikely]]
    has_left ? cutoff.skip() : cutoff.judge(nanoseconds(ticks() - began), since);
  begin(me, me.implicit_task);
  work().end_created(me, task, has_left);
  return has_left ? nullptr : me.suspended.creators.pop();
}

// The thread has come to the base of a pooled stack. Returns what goes on next.
// Not inlined: it asks anew which thread it is on.
[[gnu::noinline]] Suspension& serve_base() {
  Worker& worker = this_worker();
  Member& me = *worker.member;
  end_switch(worker);
  // The context was made long ago, and has the modes of then: what begins here has those of the thread.
  adopt_fp_modes(me.suspended.fp_modes);
  const FirstAction first = std::exchange(me.suspended.first_action, {});
  switch (first.kind) {
    case FirstAction::Kind::kCreate:
      if (Suspension* const creator = serve_creation(me, *first.task)) return *creator;
      break;
    case FirstAction::Kind::kSpawned:
      begin(me, first.spawned->task);
      run_spawned_body(*first.spawned);
      return next_on_this_thread();  // it may be another now
    case FirstAction::Kind::kExecute:
      begin(me, me.implicit_task);
      work().execute(me, *first.task);
      break;
    case FirstAction::Kind::kNone:
      begin(me, me.implicit_task);
  }
  return next_of(me);
}

[[gnu::noinline]] FiberStack& stack_of_this_thread() {
  return *this_member().context.stack;
}
[[gnu::noinline]] void leave_for_good(FiberStack& stack) {
  this_worker().departure.stack = &stack;
}

HEDDLE_CONTEXT_ENTRY void stack_base(boost::context::detail::transfer_t arrival) {
  FiberStack& stack = stack_of_this_thread();
  begin_context(stack.base, arrival);
  Suspension& next = serve_base();
  leave_for_good(stack);
  end_context(stack.base, next.left_at);
}

// A pooled stack, or nullptr.
FiberStack* take_stack(Worker& worker) {
  static const bool are_settled = [] {
    const std::size_t bytes = device_icvs().stack_bytes.load();
    set_stacks(bytes != 0 ? bytes : default_stack_bytes(), stack_base);
    log_stacks_at_exit();
    return true;
  }();
  static_cast<void>(are_settled);
  FiberStack* const stack = worker.stacks.take();
  if (stack == nullptr) {
    static RelaxedAtomic<bool> has_warned{false};
    if (!has_warned.exchange(true))
      warn(
          "there is no address space for another stack: suspended tasks wait on top of each other; a smaller "
          "OMP_STACKSIZE makes room for more");
  }
  return stack;
}

// Where a thread goes on in one of its places.
struct Destination {
  Context& at;
  FiberStack* stack;  // that it is on there; nullptr: the context that goes on there knows
  FirstAction first_action;

  static Destination suspended(Suspension& task) { return {task.left_at, nullptr, {}}; }
  static Destination base(FiberStack& stack, FirstAction first = {}) { return {stack.base, &stack, first}; }
  static Destination spawned(SpawnedTask& task) { return {task.context, task.stack, {}}; }

  /// The place's thread is about to go there.
  Context& prepare(Member& place) const {
    if (stack != nullptr) {
      place.context.stack = stack;
      place.suspended.first_action = first_action;
      place.suspended.fp_modes = fp_modes();
    }
    return at;
  }
};

// The one way in which a task leaves its thread, with its stack: the thread goes to `to` in `place`, mostly
// the task's own. Returns when it goes on here.
void switch_to(Suspension& self, Member& place, const Destination& to) {
  Member& me = self.member;
  self.context = me.context;
  Context& at = to.prepare(place);
  ++me.suspended.count;
  observe(&Observer::task_suspends, self);
  set_sleeper(me, self.context.stack, &self);
  switch_context(self.left_at, at);
  end_switch(*me.worker);
  set_sleeper(me, self.context.stack, nullptr);
  --me.suspended.count;
  if (self.reason != WaitsFor::kTurn && self.reason != WaitsFor::kTime && self.reason != WaitsFor::kLock)
    me.suspended.resumed.store(me.suspended.resumed.load() + 1);
  me.context = self.context;
  observe(&Observer::task_resumes);
}

// Leaves `self` for `first` on a stack of its own; nullptr: for a thread that is next, or for whatever there
// is to do. may_put_off: `first` may as well be executed later.
void leave(Suspension& self, Task* first, bool may_put_off = false) {
  Member& me = self.member;
  count_current(me);
  while (!self.may_go_on) {
    if (first == nullptr) {
      Suspension* const next = take_next(me, &self);
      if (next == &self) return;
      if (next != nullptr) return switch_to(self, me, Destination::suspended(*next));
    }
    if (FiberStack* const stack = take_stack(*me.worker)) {
      const FirstAction action = first != nullptr ? FirstAction::execute(*first) : FirstAction{};
      return switch_to(self, me, Destination::base(*stack, action));
    }
    if (first != nullptr && may_put_off && me.context.inline_depth >= limits::kDeepestInline)
      work().put_off(me, *std::exchange(first, nullptr));
    else
      work().in_place(me, self, std::exchange(first, nullptr));
  }
}

void prepare_to_leave(Member& me) {
  work().before_wait(me);
  work().announce(me);
}

}  // namespace

void set_suspending_functions(std::span<const char* const> names) {
  g_suspending_functions = names;
}

void look_for_suspending_functions() {
  if (may_suspend()) return;
  const std::uint64_t loaded = objects_loaded();
  if (g_objects_looked_at.load() == loaded) return;
  if (any_object_needs(g_suspending_functions)) expect_suspension();
  g_objects_looked_at.store(loaded);
}

void suspend(Suspension& self) {
  prepare_to_leave(self.member);
  leave(self, nullptr);
}

void resume(Suspension& suspension) {
  Member& place = suspension.member;
  Member* const me = known_member();
  if (me == &place) {
    place.suspended.next.push_own(suspension);
    return;
  }
  Team& team = *place.team;
  const int number = place.number;
  const bool is_outside = me == nullptr || me->team != &team;
  // The team stays until we are done with it.
  if (is_outside) team.visitors.enter();
  place.suspended.next.push(suspension);
  team.parking.wake(number);
  if (is_outside) team.visitors.leave();
}

void run_on_own_stack(Member& me, Task& task) {
  work().announce(me);
  Suspension self(me, WaitsFor::kTurn, nullptr);
  me.suspended.next.push_own_first(self);
  leave(self, &task);
}

bool can_leave(Member& me) {
  StackPool& stacks = me.worker->stacks;
  if (stacks.has_warm()) [[likely]]
    return true;
  FiberStack* const stack = take_stack(*me.worker);
  if (stack == nullptr) return false;
  stacks.give_back(*stack);
  return true;
}

bool run_inline_on_own_stack(Member& me, Task& task) {
  FiberStack* const stack = take_stack(*me.worker);
  if (stack == nullptr) return false;
  Suspension self(me, WaitsFor::kTurn, nullptr);
  // A wait for latency starts nothing of what is queued but its own: it must not hold up the task below it.
  SuspendedTasks& suspended = me.suspended;
  (me.context.task->environment->waits_for_latency ? suspended.next : suspended.creators)
      .push_own_first(self);
  switch_to(self, me, Destination::base(*stack, FirstAction::create(task)));
  return true;
}

void give_creator_a_turn(Member& me) {
  Suspension* const creator = me.suspended.creators.pop();
  if (creator == nullptr) return;
  // Its creator may go on before it.
  if (Task* const task = std::exchange(creator->context.new_child, nullptr)) work().count_late(me, *task);
  me.suspended.yielded.push_own(*creator);
}

void yield_to(Member& me, Task* task) {
  prepare_to_leave(me);
  Suspension self(me, WaitsFor::kTurn, nullptr);
  me.suspended.yielded.push_own(self);
  observe(&Observer::task_yields);
  leave(self, task, true);
}

namespace {

// Leaves the current task of `from`, to be next in `place`, for something in that place.
void go_to(Member& from, Member& place, const Destination& to) {
  prepare_to_leave(from);
  count_current(from);
  const Pushed there(place.context, ExecutionContext(place.context));
  Suspension self(from, WaitsFor::kTurn, nullptr);
  place.suspended.next.push_own_first(self);
  switch_to(self, place, to);
}

FiberStack& stack_for_spawned(Member& place) {
  FiberStack* const stack = take_stack(*place.worker);
  if (stack == nullptr)
    fatal("there is no address space for the stack of a spawned task; make OMP_STACKSIZE smaller");
  return *stack;
}

}  // namespace

void go_on_in(Member& from, Member& place, SpawnedTask& spawned) {
  if (spawned.stack != nullptr) return go_to(from, place, Destination::spawned(spawned));
  spawned.stack = &stack_for_spawned(place);
  go_to(from, place, Destination::base(*spawned.stack, FirstAction::begin(spawned)));
}

bool let_next_go_on_in(Member& from, Member& place) {
  Suspension* const next = take_next(place);
  if (next != nullptr) go_to(from, place, Destination::suspended(*next));
  return next != nullptr;
}

void run_on_own_stack_in(Member& from, Member& place, Task& task) {
  go_to(from, place, Destination::base(stack_for_spawned(place), FirstAction::execute(task)));
}

namespace {

[[gnu::noinline]] Context& where_to_leave(SpawnedTask& spawned) {
  Worker& worker = this_worker();
  Member& me = *worker.member;
  worker.departure.spawned = &spawned;
  if (Suspension* const next = take_next(me)) return Destination::suspended(*next).prepare(me);
  FiberStack* const stack = take_stack(worker);
  if (stack == nullptr) fatal("there is no address space for another stack; make OMP_STACKSIZE smaller");
  return Destination::base(*stack).prepare(me);
}
[[gnu::noinline]] void end_switch_on_this_thread(SpawnedTask& spawned) {
  Member& me = this_member();
  end_switch(*me.worker);
  begin(me, spawned.task);
}

}  // namespace

void leave_spawned(SpawnedTask& spawned) {
  switch_context(spawned.context, where_to_leave(spawned));
  end_switch_on_this_thread(spawned);
}

void let_next_go_on(Member& me) {
  work().announce(me);
  Suspension* const next = take_next(me);
  if (next == nullptr) return;
  Suspension self(me, WaitsFor::kTurn, nullptr);
  me.suspended.yielded.push_own(self);  // among equals: waits like this one may take turns for long
  me.suspended.next.push_own_first(*next);
  leave(self, nullptr);
}

void add_sleeper(Member& me, Suspension& self, std::int64_t due) {
  std::vector<SuspendedTasks::Sleeper>& sleepers = me.suspended.sleepers;
  sleepers.emplace_back(due, &self);
  std::push_heap(sleepers.begin(), sleepers.end(), std::greater<>());
  g_to_poll.fetch_add(1);
}

bool wake_sleepers(Member& me, std::int64_t now) {
  std::vector<SuspendedTasks::Sleeper>& sleepers = me.suspended.sleepers;
  bool was_any = false;
  while (!sleepers.empty() && sleepers.front().first <= now) {
    std::pop_heap(sleepers.begin(), sleepers.end(), std::greater<>());
    me.suspended.next.push_own(*sleepers.back().second);
    sleepers.pop_back();
    g_to_poll.fetch_sub(1);
    was_any = true;
  }
  return was_any;
}

std::int64_t next_sleeper_due(const Member& me) {
  const std::vector<SuspendedTasks::Sleeper>& sleepers = me.suspended.sleepers;
  return sleepers.empty() ? INT64_MAX : sleepers.front().first;
}

namespace {

double kib(std::size_t bytes) {
  return static_cast<double>(bytes) / 1024;
}

void log_stacks() {
  const StackReport report = report_stacks();
  if (report.lives == 0) return;
  notice(
      "stacks of suspended tasks: %d at once, of %.0f KiB; each took %.1f KiB of memory on average, "
      "the deepest used %.0f KiB",
      report.made, kib(report.stack_bytes), kib(report.bytes_of_lives) / static_cast<double>(report.lives),
      kib(report.deepest_bytes));
}

}  // namespace

void log_stacks_at_exit() {
  if (!settings().logs_stacks) return;
  count_lives_of_stacks();
  std::atexit(log_stacks);
}

}  // namespace heddle
