#include "suspend/suspension.hpp"

#include <utility>

#include "icv/device_icvs.hpp"
#include "suspend/spawned_task.hpp"
#include "suspend/stack_log.hpp"
#include "suspend/work.hpp"
#include "sys/fatal.hpp"
#include "sys/loaded_objects.hpp"
#include "sys/native_thread.hpp"
#include "sys/ticks.hpp"
#include "team/tool_events.hpp"
#include "team/watched.hpp"

namespace heddle {
namespace {

std::span<const char* const> g_suspending_functions;
// As many objects had been loaded. Relaxed: whoever reads an old number looks once more.
std::atomic<std::uint64_t> g_objects_looked_at{0};

// What of a place belongs to the context that runs there.
struct PlaceState {
  static PlaceState of(const Member& me) {
    return {me.current,   me.constraint, me.wanted,       me.kept_chunks,
            me.taskgraph, me.recorded,   me.inline_depth, me.suspended.stack};
  }
  /// Of one that has just begun to execute `task` on `stack`.
  static PlaceState fresh(Task& task, FiberStack* stack) { return {&task, {}, {}, {}, {}, {}, {}, stack}; }

  void put_back(Member& me) const {
    me.current = current;
    me.constraint = constraint;
    me.wanted = wanted;
    me.kept_chunks = kept_chunks;
    me.taskgraph = taskgraph;
    me.recorded = recorded;
    me.inline_depth = inline_depth;
    me.suspended.stack = stack;
  }

  Task* current;
  Task* constraint;
  const Wanted* wanted;
  KeptChunks* kept_chunks;
  TaskgraphRegion* taskgraph;
  const Task* recorded;
  int inline_depth;
  FiberStack* stack;
};

void set_sleeper(Member& me, FiberStack* stack, Suspension* sleeper) {
  if (stack != nullptr)
    stack->sleeper.store(sleeper, std::memory_order_release);
  else
    me.suspended.on_own_stack.store(sleeper, std::memory_order_release);
}

// Whoever goes on does this first.
void arrived(Worker& worker) {
  const LeftBehind left = std::exchange(worker.left, {});
  if (left.stack != nullptr) worker.stacks.give_back(*left.stack);
  if (left.spawned != nullptr) has_left(*left.spawned);
}

// At the base of a stack, or back in a spawned task: nothing of what ran here before matters.
void begin(Member& me, Task& task) {
  PlaceState::fresh(task, me.suspended.stack).put_back(me);
}

// Who goes on now. `self` is about to leave its thread: a creator below goes on before what is queued unless
// self waits for just that.
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

// The current task is about to be left. Who created it may go on before it does, whatever it is left for.
void count_current(Member& me) {
  if (Task* const task = std::exchange(me.suspended.uncounted, nullptr)) work().count_late(me, *task);
}

// The thread comes from the task's creation, and goes back there when the task has ended or left. Returns who
// created it, where it has not left.
Suspension* serve_creation(Member& me, Task& task) {
  const int depth = me.inline_depth + 1;  // it is the creator's still
  begin(me, task);
  me.inline_depth = depth;
  task.owner.store(static_cast<std::uint16_t>(me.number), std::memory_order_relaxed);
  me.suspended.uncounted = &task;
  Cutoff& cutoff = me.policy.cutoff;
  const bool is_timed = me.team_size > 1 && cutoff.is_due();
  const std::uint64_t since = cutoff.executed();
  const std::uint64_t began = is_timed ? ticks() : 0;
  task.body(task);
  const bool has_left = std::exchange(me.suspended.uncounted, nullptr) == nullptr;
  if (is_timed) [[unlikely]]
    has_left ? cutoff.skip() : cutoff.judge(nanoseconds(ticks() - began), since);
  begin(me, me.implicit_task);
  work().end_created(me, task, has_left);
  return has_left ? nullptr : me.suspended.creators.pop();
}

// The thread has come to the base of a pooled stack. Returns who goes on next.
// Not inlined: it asks anew which thread it is on.
[[gnu::noinline]] Suspension& serve_base() {
  Worker& worker = this_worker();
  Member& me = *worker.member;
  arrived(worker);
  // The context was made long ago, and has the modes of then: what begins here has those of the thread.
  adopt_fp_modes(me.suspended.fp_modes);
  const Errand errand = std::exchange(me.suspended.errand, {});
  switch (errand.kind) {
    case Errand::Kind::kCreate:
      if (Suspension* const creator = serve_creation(me, *errand.task)) return *creator;
      break;
    case Errand::Kind::kSpawned:
      begin(me, errand.spawned->task);
      run_spawned_body(*errand.spawned);
      return next_on_this_thread();  // it may be another now
    case Errand::Kind::kExecute:
      begin(me, me.implicit_task);
      work().execute(me, *errand.task);
      break;
    case Errand::Kind::kNone:
      begin(me, me.implicit_task);
  }
  return next_of(me);
}

[[gnu::noinline]] FiberStack& stack_of_this_thread() {
  return *this_member().suspended.stack;
}
[[gnu::noinline]] void leave_for_good(FiberStack& stack) {
  this_worker().left.stack = &stack;
}

HEDDLE_CONTEXT_ENTRY void stack_base(boost::context::detail::transfer_t arrival) {
  FiberStack& stack = stack_of_this_thread();
  begin_context(stack.base, arrival);
  Suspension& next = serve_base();
  leave_for_good(stack);
  end_context(stack.base, next.context);
}

// A pooled stack, or nullptr.
FiberStack* take_stack(Worker& worker) {
  static const bool are_settled = [] {
    const std::size_t bytes = device_icvs().stack_bytes.load(std::memory_order_relaxed);
    set_stacks(bytes != 0 ? bytes : default_stack_bytes(), stack_base);
    log_stacks_at_exit();
    return true;
  }();
  static_cast<void>(are_settled);
  FiberStack* const stack = worker.stacks.take();
  if (stack == nullptr) {
    static std::atomic<bool> has_warned{false};
    if (!has_warned.exchange(true))
      warn(
          "there is no address space for another stack: suspended tasks wait on top of each other; a smaller "
          "OMP_STACKSIZE makes room for more");
  }
  return stack;
}

// The place's thread is about to begin at the base of `stack`.
Context& go_to_base(Member& place, FiberStack& stack, const Errand& errand) {
  place.suspended.stack = &stack;
  place.suspended.errand = errand;
  place.suspended.fp_modes = fp_modes();
  return stack.base;
}

// Leaves `self`, and puts the place back when the thread goes on there.
void switch_from(Member& me, Suspension& self, Context& to, const PlaceState& here) {
  ++me.suspended.count;
  if (has_watchdog()) [[unlikely]]
    self.trace.take();
  if (has_tool()) [[unlikely]] {
    tell_suspends(*me.current, self.reason);
    tell_goes_on(me, me.implicit_task);
  }
  set_sleeper(me, here.stack, &self);
  switch_context(self.context, to);
  arrived(*me.worker);
  set_sleeper(me, here.stack, nullptr);
  --me.suspended.count;
  if (self.reason != WaitsFor::kTurn && self.reason != WaitsFor::kTime && self.reason != WaitsFor::kLock)
    me.suspended.resumed.store(me.suspended.resumed.load(std::memory_order_relaxed) + 1,
                               std::memory_order_relaxed);
  here.put_back(me);
  if (has_tool()) [[unlikely]] {
    me.told_yields = false;
    tell_goes_on(me, *here.current);
  }
}

// Leaves `self` for `first` on a stack of its own; nullptr: for who is next, or for whatever there is to do.
// may_put_off: `first` may as well be executed later.
void leave(Member& me, Suspension& self, Task* first, bool may_put_off = false) {
  const PlaceState here = PlaceState::of(me);
  Worker& worker = *me.worker;
  self.task = me.current;
  count_current(me);
  Context* to = nullptr;
  while (to == nullptr) {
    if (self.may_go_on) return here.put_back(me);
    if (first == nullptr) {
      if (Suspension* const next = take_next(me, &self)) {
        if (next == &self) return here.put_back(me);
        to = &next->context;
        break;
      }
    }
    if (FiberStack* const stack = take_stack(worker)) {
      to = &go_to_base(me, *stack, first != nullptr ? Errand{Errand::Kind::kExecute, first} : Errand{});
    } else {
      if (first != nullptr && may_put_off && me.inline_depth >= limits::kDeepestInline)
        work().put_off(me, *std::exchange(first, nullptr));
      else
        work().in_place(me, self, std::exchange(first, nullptr));
    }
  }
  switch_from(me, self, *to, here);
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
  if (g_objects_looked_at.load(std::memory_order_relaxed) == loaded) return;
  if (any_object_needs(g_suspending_functions)) expect_suspension();
  g_objects_looked_at.store(loaded, std::memory_order_relaxed);
}

void suspend(Suspension& self) {
  prepare_to_leave(self.member);
  leave(self.member, self, nullptr);
}

void resume(Suspension& suspension) {
  Member& place = suspension.member;
  Member* const me = t_worker != nullptr ? static_cast<Member*>(t_worker->member) : nullptr;
  if (me == &place) {
    place.suspended.next.push_own(suspension);
    return;
  }
  Team& team = *place.team;
  const int number = place.number;
  const bool is_outside = me == nullptr || me->team != &team;
  // The team stays until we are done with it.
  if (is_outside) team.visitors.fetch_add(1, std::memory_order_acq_rel);
  place.suspended.next.push(suspension);
  team.parking.wake(number);
  if (is_outside) team.visitors.fetch_sub(1, std::memory_order_acq_rel);
}

void run_apart(Member& me, Task& task) {
  work().announce(me);
  Suspension self(me, WaitsFor::kTurn, nullptr);
  me.suspended.next.push_own_first(self);
  leave(me, self, &task);
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

bool run_apart_at_once(Member& me, Task& task) {
  FiberStack* const stack = take_stack(*me.worker);
  if (stack == nullptr) return false;
  const PlaceState here = PlaceState::of(me);
  Suspension self(me, WaitsFor::kTurn, nullptr);
  self.task = me.current;
  self.uncounted = std::exchange(me.suspended.uncounted, nullptr);
  // A wait for latency starts nothing of what is queued but its own: it must not hold up who lies below it.
  SuspendedTasks& suspended = me.suspended;
  (me.current->environment->waits_for_latency ? suspended.next : suspended.creators).push_own_first(self);
  switch_from(me, self, go_to_base(me, *stack, {Errand::Kind::kCreate, &task}), here);
  suspended.uncounted = self.uncounted;
  return true;
}

void give_creator_a_turn(Member& me) {
  Suspension* const creator = me.suspended.creators.pop();
  if (creator == nullptr) return;
  // Who created this one may go on before it.
  if (Task* const task = std::exchange(creator->uncounted, nullptr)) work().count_late(me, *task);
  me.suspended.yielded.push_own(*creator);
}

void yield_to(Member& me, Task* task) {
  prepare_to_leave(me);
  Suspension self(me, WaitsFor::kTurn, nullptr);
  me.suspended.yielded.push_own(self);
  me.told_yields = has_tool();
  leave(me, self, task, true);
}

namespace {

// Leaves the current context of `from`, to be next in `place`, for one of that place: `to`, which knows its
// stack, or where that is null for the base of `stack`.
void go_to(Member& from, Member& place, Context* to, FiberStack* stack, const Errand& errand = {}) {
  prepare_to_leave(from);
  count_current(from);
  const PlaceState here = PlaceState::of(from);
  Suspension self(from, WaitsFor::kTurn, nullptr);
  self.task = from.current;
  const PlaceState there = PlaceState::of(place);
  place.suspended.next.push_own_first(self);
  if (to == nullptr)
    to = &go_to_base(place, *stack, errand);
  else
    place.suspended.stack = stack;
  switch_from(from, self, *to, here);
  if (&from != &place) there.put_back(place);
}

FiberStack& stack_for_spawned(Member& place) {
  FiberStack* const stack = take_stack(*place.worker);
  if (stack == nullptr)
    fatal("there is no address space for the stack of a spawned task; make OMP_STACKSIZE smaller");
  return *stack;
}

}  // namespace

void go_on_in(Member& from, Member& place, SpawnedTask& spawned) {
  if (spawned.stack != nullptr) return go_to(from, place, &spawned.context, spawned.stack);
  spawned.stack = &stack_for_spawned(place);
  go_to(from, place, nullptr, spawned.stack, {Errand::Kind::kSpawned, nullptr, &spawned});
}

bool let_next_go_on_in(Member& from, Member& place) {
  Suspension* const next = take_next(place);
  if (next != nullptr) go_to(from, place, &next->context, nullptr);
  return next != nullptr;
}

void run_apart_in(Member& from, Member& place, Task& task) {
  go_to(from, place, nullptr, &stack_for_spawned(place), {Errand::Kind::kExecute, &task});
}

namespace {

[[gnu::noinline]] Context& where_to_leave(SpawnedTask& spawned) {
  Worker& worker = this_worker();
  Member& me = *worker.member;
  worker.left.spawned = &spawned;
  if (Suspension* const next = take_next(me)) return next->context;
  FiberStack* const stack = take_stack(worker);
  if (stack == nullptr) fatal("there is no address space for another stack; make OMP_STACKSIZE smaller");
  return go_to_base(me, *stack, {});
}
[[gnu::noinline]] void arrived_on_this_thread(SpawnedTask& spawned) {
  Member& me = this_member();
  arrived(*me.worker);
  begin(me, spawned.task);
}

}  // namespace

void leave_spawned(SpawnedTask& spawned) {
  switch_context(spawned.context, where_to_leave(spawned));
  arrived_on_this_thread(spawned);
}

void let_next_go_on(Member& me) {
  work().announce(me);
  Suspension* const next = take_next(me);
  if (next == nullptr) return;
  Suspension self(me, WaitsFor::kTurn, nullptr);
  me.suspended.yielded.push_own(self);  // among equals: waits like this one may take turns for long
  me.suspended.next.push_own_first(*next);
  leave(me, self, nullptr);
}

}  // namespace heddle
