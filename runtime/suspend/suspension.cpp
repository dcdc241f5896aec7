#include "suspend/suspension.hpp"

#include <utility>

#include "icv/device_icvs.hpp"
#include "suspend/spawned.hpp"
#include "suspend/stack_log.hpp"
#include "sys/fatal.hpp"
#include "sys/loaded_objects.hpp"
#include "sys/native_thread.hpp"
#include "tasking/at_once.hpp"
#include "tasking/task_wait.hpp"
#include "tasking/tasking.hpp"

namespace heddle {
namespace {

std::span<const char* const> g_suspending_functions;

// What of a place belongs to the context that runs there.
struct PlaceState {
  static PlaceState of(const Member& me) {
    return {me.current,   me.constraint,   me.wanted,          me.kept_chunks,
            me.taskgraph, me.inline_depth, me.suspended.stack, me.suspended.uncounted};
  }
  /// Of one that has just begun to execute `task` on `stack`.
  static PlaceState fresh(Task& task, FiberStack* stack) { return {&task, {}, {}, {}, {}, {}, stack, {}}; }

  void put_back(Member& me) const {
    me.current = current;
    me.constraint = constraint;
    me.wanted = wanted;
    me.kept_chunks = kept_chunks;
    me.taskgraph = taskgraph;
    me.inline_depth = inline_depth;
    me.suspended.stack = stack;
    me.suspended.uncounted = uncounted;
  }

  Task* current;
  Task* constraint;
  const Wanted* wanted;
  KeptChunks* kept_chunks;
  TaskgraphRegion* taskgraph;
  int inline_depth;
  FiberStack* stack;
  Task* uncounted;
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

// At the base of a stack: executes tasks until somebody is next.
Suspension& next_of(Member& me) {
  for (;;) {
    if (Suspension* const next = me.suspended.take_next()) return *next;
    run_tasks_until(me, [&me] { return me.suspended.has_next(); }, Executes::kOnTop);
  }
}
[[gnu::noinline]] Suspension& next_on_this_thread() {
  Member& me = this_member();
  begin(me, me.implicit_task);
  return next_of(me);
}

// The parent goes on while it waits.
void count_current(Member& me) {
  if (Task* const task = std::exchange(me.suspended.uncounted, nullptr)) count_late(me, *task);
}

// The thread comes from the task's creation, and goes back there when the task has ended or left.
void serve_creation(Member& me, Task& task) {
  const int depth = me.inline_depth + 1;  // it is the creator's still
  begin(me, task);
  me.inline_depth = depth;
  task.owner.store(static_cast<std::uint16_t>(me.number), std::memory_order_relaxed);
  me.suspended.uncounted = &task;
  task.body(task);
  const bool has_left = std::exchange(me.suspended.uncounted, nullptr) == nullptr;
  begin(me, me.implicit_task);
  if (!has_left && !task.is_detachable()) [[likely]] {
    end_apart_at_once(me, task);
  } else {
    if (!has_left) count_late(me, task);  // it has events outside OpenMP
    if (Task* const successor = end_body(me, task)) make_ready(me, *successor);
    announce_completions(me);
  }
  if (needs_attention()) [[unlikely]]
    attend(me);
}

// The thread has come to the base of a pooled stack. Returns who goes on next.
// Not inlined: it asks anew which thread it is on.
[[gnu::noinline]] Suspension& serve_base() {
  Worker& worker = this_worker();
  Member& me = *worker.member;
  arrived(worker);
  if (Task* const first = std::exchange(me.suspended.first_at_once, nullptr)) {
    serve_creation(me, *first);
    return next_of(me);
  }
  if (SpawnedTask* const spawned = std::exchange(me.suspended.first_spawned, nullptr)) {
    begin(me, spawned->task);
    run_spawned_body(*spawned);
    return next_on_this_thread();  // it may be another now
  }
  begin(me, me.implicit_task);
  if (Task* const first = std::exchange(me.suspended.first, nullptr)) {
    if (Task* const successor = execute(me, *first)) make_ready(me, *successor);
    announce_completions(me);
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

// Leaves `self`, and puts the place back when the thread goes on there.
void switch_from(Member& me, Suspension& self, Context& to, const PlaceState& here) {
  ++me.suspended.count;
  if (has_watchdog()) [[unlikely]]
    self.trace.take();
  set_sleeper(me, here.stack, &self);
  switch_context(self.context, to);
  arrived(*me.worker);
  set_sleeper(me, here.stack, nullptr);
  --me.suspended.count;
  if (self.reason != WaitsFor::kTurn && self.reason != WaitsFor::kTime && self.reason != WaitsFor::kLock)
    me.suspended.resumed.store(me.suspended.resumed.load(std::memory_order_relaxed) + 1,
                               std::memory_order_relaxed);
  here.put_back(me);
}

// Where there is no stack to leave for, `self` stays, and its thread executes tasks on top of it: `first`, if
// there is one, then others until `self` may go on, or some task that has left its thread may. Those may do
// the same, one on top of the other. Descendants come first: nobody below them can be who they wait for.
// Others follow, since they may do what `self` waits for, unless so many tasks lie on this stack that it
// could end.
constexpr int kDeepestInPlace = 1000;

void execute_in_place(Member& me, Suspension& self, Task* first) {
  const auto goes_on = [&] { return self.may_go_on || me.suspended.has_next(); };
  const bool may_start_others = me.inline_depth < kDeepestInPlace;
  ++me.inline_depth;
  const Suspended here(me);
  if (first != nullptr) execute_chain(me, *first, goes_on);
  while (may_start_others && !goes_on()) {
    Task* const task = find_task(me, Look::kLast);
    if (task == nullptr) break;
    execute_chain(me, *task, goes_on);
  }
  if (may_start_others) me.constraint = nullptr;
  run_tasks_until(me, goes_on, Executes::kOnTop);
  --me.inline_depth;
}

// Leaves `self` for `first` on a stack of its own; nullptr: for who is next, or for whatever there is to do.
// may_put_off: `first` may as well be executed later.
void leave(Member& me, Suspension& self, Task* first, bool may_put_off = false) {
  PlaceState here = PlaceState::of(me);
  Worker& worker = *me.worker;
  SuspendedTasks& suspended = me.suspended;
  self.task = me.current;
  Context* to = nullptr;
  while (to == nullptr) {
    if (self.may_go_on) return here.put_back(me);
    if (first == nullptr) {
      if (Suspension* const next = suspended.take_next(&self)) {
        if (next == &self) return here.put_back(me);
        to = &next->context;
        break;
      }
    }
    if (FiberStack* const stack = take_stack(worker)) {
      suspended.stack = stack;
      suspended.first = first;
      to = &stack->base;
    } else {
      count_current(me);  // what is executed on top of it may let others go on
      here.uncounted = nullptr;
      if (first != nullptr && may_put_off && me.inline_depth >= kDeepestInline)
        make_ready(me, *std::exchange(first, nullptr));
      else
        execute_in_place(me, self, std::exchange(first, nullptr));
    }
  }
  switch_from(me, self, *to, here);
}

void prepare_to_leave(Member& me) {
  before_wait(me);
  count_current(me);
  announce_completions(me);
}

}  // namespace

constinit std::atomic<bool> g_may_suspend{false};

void begin_to_suspend() {
  if (!g_may_suspend.exchange(true, std::memory_order_relaxed)) add_reason_to_defer(1);
}

void set_suspending_functions(std::span<const char* const> names) {
  g_suspending_functions = names;
}

void look_for_suspending_functions() {
  if (any_object_needs(g_suspending_functions)) expect_suspension();
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
  announce_completions(me);
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
  me.suspended.next.push_own_first(self);
  me.suspended.stack = stack;
  me.suspended.first_at_once = &task;
  switch_from(me, self, stack->base, here);
  return true;
}

void yield_to(Member& me, Task* task) {
  prepare_to_leave(me);
  Suspension self(me, WaitsFor::kTurn, nullptr);
  me.suspended.yielded.push_own(self);
  leave(me, self, task, true);
}

namespace {

// Leaves the current context of `from`, to be next in `place`, for one on `stack`.
void go_to(Member& from, Member& place, Context& to, FiberStack* stack) {
  prepare_to_leave(from);
  const PlaceState here = PlaceState::of(from);
  Suspension self(from, WaitsFor::kTurn, nullptr);
  self.task = from.current;
  const PlaceState there = PlaceState::of(place);
  place.suspended.next.push_own_first(self);
  place.suspended.stack = stack;
  switch_from(from, self, to, here);
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
  if (spawned.stack != nullptr) return go_to(from, place, spawned.context, spawned.stack);
  spawned.stack = &stack_for_spawned(place);
  place.suspended.first_spawned = &spawned;
  go_to(from, place, spawned.stack->base, spawned.stack);
}

bool let_next_go_on_in(Member& from, Member& place) {
  Suspension* const next = place.suspended.take_next();
  if (next != nullptr) go_to(from, place, next->context, nullptr);  // it knows its stack
  return next != nullptr;
}

void run_apart_in(Member& from, Member& place, Task& task) {
  FiberStack& stack = stack_for_spawned(place);
  place.suspended.first = &task;
  go_to(from, place, stack.base, &stack);
}

namespace {

[[gnu::noinline]] Context& where_to_leave(SpawnedTask& spawned) {
  Worker& worker = this_worker();
  Member& me = *worker.member;
  worker.left.spawned = &spawned;
  if (Suspension* const next = me.suspended.take_next()) return next->context;
  FiberStack* const stack = take_stack(worker);
  if (stack == nullptr) fatal("there is no address space for another stack; make OMP_STACKSIZE smaller");
  me.suspended.stack = stack;
  return stack->base;
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
  count_current(me);
  announce_completions(me);
  Suspension* const next = me.suspended.take_next();
  if (next == nullptr) return;
  Suspension self(me, WaitsFor::kTurn, nullptr);
  me.suspended.yielded.push_own(self);  // among equals: waits like this one may take turns for long
  me.suspended.next.push_own_first(*next);
  leave(me, self, nullptr);
}

}  // namespace heddle
