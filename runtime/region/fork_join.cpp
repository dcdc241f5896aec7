// Opening and closing parallel regions; hot teams.
//
// A master keeps its team after the region. The next region at that depth only writes what is new and moves
// the team's `opening` on; workers that still spin see it at once, sleepers are woken one by one.
#include "region/fork_join.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/relaxed_atomic.hpp"
#include "icv/settings.hpp"
#include "region/barrier.hpp"
#include "region/process_fork.hpp"
#include "replay/taskgraph.hpp"
#include "suspend/locks.hpp"
#include "suspend/polling.hpp"
#include "suspend/spawned.hpp"
#include "suspend/suspension.hpp"
#include "sys/fatal.hpp"
#include "tasking/cancellation.hpp"
#include "tasking/children.hpp"
#include "tasking/detach.hpp"
#include "tasking/task_wait.hpp"
#include "tasking/throttle.hpp"
#include "tasking/undeferred.hpp"
#include "team/affinity.hpp"
#include "team/placement.hpp"
#include "team/team.hpp"
#include "team/wait.hpp"
#include "team/workers.hpp"

namespace heddle {
namespace {

// The frame of the runtime below that of the region's code.
[[gnu::noinline]] void execute_in_frame(Member& place, const RegionStart& start) {
  place.implicit_task.tool.frame.exit_frame.ptr = __builtin_frame_address(0);
  start.code.execute(place, start.code);
  asm volatile("" ::: "memory");  // no tail call: the frame is there as long as the body
}

void leave_frame(ImplicitTask& task) {
  task.tool.frame.exit_frame = ompt_data_none;
}

void end_implicit_task(Member& place) {
  observe(&Observer::region_code_ends, place);
  leave_frame(place.implicit_task);
  forget_dependences(place, place.implicit_task);
  if (place.external != nullptr) [[unlikely]]
    wait_for_events_of_implicit(place);
  if (has_observers() && place.team->encountering != nullptr && !place.team->is_league()) [[unlikely]] {
    const SyncRegion sync(ompt_sync_region_barrier_implicit_parallel, {place.team->tool_where});
    barrier(place);
  } else {
    barrier(place);
  }
  observe(&Observer::implicit_task_ends, place);
  if (place.pipeline != nullptr) [[unlikely]]
    forget_pipeline(place);
}

void execute_place(Member& place, int team_size, const RegionStart& start) {
  go_to_place(place);  // first: a tool that is told of the task may ask where it is
  start_implicit_task(place, team_size, start);
  if (start.displays_affinity) [[unlikely]]
    display_affinity(place);
  if (has_tool()) [[unlikely]]
    execute_in_frame(place, start);
  else
    start.code.execute(place, start.code);
  end_implicit_task(place);
}

void execute_primary(Team& team) {
  execute_place(team.members[0], team.size, team.start);
}

// Where no more threads can be had the region gets fewer: the standard leaves the number to us.
int attach_workers(Team& team, int wanted) {
  while (team.attached < wanted) {
    Member& place = team.members[static_cast<std::size_t>(team.attached + 1)];
    place.seen_opening = team.opening.opening(place.number);
    if (!assign_worker(place)) {
      static RelaxedAtomic<bool> has_warned{false};
      if (!has_warned.exchange(true))
        warn("the system gives no more than %d threads for a parallel region of %d", team.attached + 1,
             wanted + 1);
      break;
    }
    ++team.attached;
  }
  return std::min(wanted, team.attached);
}

void open_region(Team& team, int size) {
  team.opening.open(size, team.start);
  team.parking.wake_all(size);
}

// To a region of several threads.
void call_workers(Team& team, const RegionRequest& request) {
  Backoff::add_threads(team.size - 1);
  team.start.has_fp_modes = settings().inherits_fp_modes.value_or(request.passes_fp_modes_on);
  if (team.start.has_fp_modes) team.start.fp_modes = fp_modes();
  open_region(team, team.size);
}

void dismiss(Team& team) {
  forget_spare_tasks(team.members[0]);
  keep_tasks(team);
  if (team.attached > 0) {
    team.still_attached.enter(team.attached);
    team.opening.dismiss();
    team.parking.wake_all(team.places);
    spin_until([&] { return team.still_attached.are_gone(); });
    team.attached = 0;
  }
  spin_until([&] { return team.visitors.are_gone(); });
  wait_for_visits();
}

// nthreads-var is a list of which each level of regions takes the first element off (OpenMP 5.2,
// section 21.1.2).
void inherit_num_threads(Member& outer, Team& team) {
  if (!outer.requests.threads_by_level.empty())
    team.num_threads_list = std::exchange(outer.requests.threads_by_level, {});
  else if (!outer.team->num_threads_list.empty())
    team.num_threads_list.assign(outer.team->num_threads_list.begin() + 1,
                                 outer.team->num_threads_list.end());
  else if (!team.num_threads_list.empty())
    team.num_threads_list.clear();
  if (!team.num_threads_list.empty()) team.environment.num_threads = team.num_threads_list.front();
}

// Affinity is displayed where it changes from one region of a thread to its next (OpenMP 5.2,
// section 21.2.4).
bool differs_from_last(Worker& worker, const Team& team) {
  const DisplayedRegion now{team.level, team.size, team.placement};
  return std::exchange(worker.displayed, now) != now;
}

// The thread stays where it is: take_place() comes when a tool has been told that the region begins.
Team& prepare_team(Worker& worker, Member& outer, int threads) {
  const auto depth = static_cast<std::size_t>(worker.mastered);
  if (worker.hot.size() <= depth) worker.hot.resize(depth + 1);
  std::unique_ptr<Team>& hot = worker.hot[depth];
  if (hot == nullptr || hot->places < threads) {
    if (hot != nullptr) dismiss(*hot);
    hot = std::make_unique<Team>(std::max(threads, std::min(settings().processors, Task::kMaxTeam - 1)));
  }
  Team& team = *hot;
  team.contention_group = outer.team->contention_group;
  const int taken = team.contention_group->take(threads - 1, environment_of(outer).thread_limit);
  team.size = attach_workers(team, taken) + 1;
  team.threads_taken = team.size - 1;
  team.contention_group->give_back(taken - team.threads_taken);
  team.level = outer.team->level + 1;
  team.active_level = outer.team->active_level + (team.size > 1 ? 1 : 0);
  team.visitor = static_cast<Member*>(outer.team->visitor);
  team.encountering = &outer;
  team.start.is_in_final_task = outer.context.task->is_final();
  if (team.order != nullptr) [[unlikely]]
    team.order->open_region(*outer.context.task);
  if (team.has_tasks.load()) team.has_tasks.store(false);  // a line that all members have
  keep_tasks(team);
  if (team.is_cancelled.seen()) forget_cancellation(team);
  team.league = outer.team->league;
  team.environment = environment_of(outer);
  inherit_num_threads(outer, team);
  if (binding_is_active()) place_team(team, std::exchange(outer.requests.binding, ProcBind::kFalse));
  team.start.displays_affinity = settings().displays_affinity && differs_from_last(worker, team);
  Member& master = team.members[0];
  team.start.turn = master.loop.turn;
  team.start.barriers = master.loop.barriers;
  team.start.single = master.singles_met;
  // Threads that wait for their next region, or still leave the last, have no part in this one
  // (takes_part()).
  if (team.size == 1 && team.attached > 0) open_region(team, 1);
  ++worker.mastered;
  return team;
}

void leave_team(Worker& worker, Member& outer) {
  Team& team = *worker.hot[static_cast<std::size_t>(--worker.mastered)];
  team.contention_group->give_back(std::exchange(team.threads_taken, 0));
  worker.member = &outer;
}

}  // namespace

int region_size(const Member& me, int requested, bool if_clause) {
  const DataEnvironment& environment = environment_of(me);
  if (!if_clause || me.team->active_level >= environment.max_active_levels) return 1;
  int size = requested > 0 ? requested : environment.num_threads;
  if (environment.is_dynamic) size = std::min(size, settings().processors);
  const int most = me.team->contention_group->available(environment.thread_limit) + 1;
  return std::clamp(size, 1, std::min(most, Task::kMaxTeam - 1));
}

void parallel(int threads, const RegionCode& code, const RegionRequest& request) {
  Worker& worker = this_worker();
  Member& outer = *worker.member;
  Team& team = prepare_team(worker, outer, threads);
  observe(&Observer::region_begins, outer, team, request);
  take_place(worker, team.members[0]);
  team.start.code = code;
  if (team.size == 1) {
    execute_primary(team);
  } else {
    call_workers(team, request);
    execute_primary(team);
    Backoff::add_threads(1 - team.size);
  }
  leave_team(worker, outer);
  observe(&Observer::region_ends, outer, team);
}

void league(int teams, int thread_limit, const RegionCode& code, const RegionRequest& request) {
  Worker& worker = this_worker();
  Member& outer = *worker.member;
  for (int number = 0; number < teams; ++number) {
    Team& team = prepare_team(worker, outer, 1);
    team.level = 0;
    team.active_level = 0;
    team.league = {teams, number};
    team.contention_group = &team.own_contention_group;
    if (thread_limit > 0) team.environment.thread_limit = thread_limit;
    team.start.code = code;
    if (number == 0) observe(&Observer::region_begins, outer, team, request);
    take_place(worker, team.members[0]);
    execute_primary(team);
    leave_team(worker, outer);
    if (number == teams - 1) observe(&Observer::region_ends, outer, team);
  }
}

void begin_parallel(int threads, const RegionCode& code, const RegionRequest& request) {
  Worker& worker = this_worker();
  Member& outer = *worker.member;
  Team& team = prepare_team(worker, outer, threads);
  observe(&Observer::region_begins, outer, team, request);
  take_place(worker, team.members[0]);
  team.start.code = code;
  if (team.size > 1) call_workers(team, request);
  start_implicit_task(team.members[0]);
}

void end_parallel() {
  const int size = this_member().team->size;
  close_serial_region();
  if (size > 1) Backoff::add_threads(1 - size);
}

Member& open_serial_region(const RegionRequest& request) {
  Worker& worker = this_worker();
  Member& outer = *worker.member;
  Team& team = prepare_team(worker, outer, 1);
  observe(&Observer::region_begins, outer, team, request);
  take_place(worker, team.members[0]);
  start_implicit_task(team.members[0]);
  team.members[0].implicit_task.tool.frame.exit_frame.ptr = request.frame;
  return team.members[0];
}

void close_serial_region() {
  Worker& worker = this_worker();
  Member& place = *worker.member;
  end_implicit_task(place);
  Member& outer = *place.team->encountering;
  leave_team(worker, outer);
  observe(&Observer::region_ends, outer, *place.team);
}

namespace {

void (*g_at_first_use)() = nullptr;

// Without effect where the thread ends inside a region or a task, whose tasks nobody can wait for.
void end_initial_region(Worker& worker) {
  if (worker.initial_team == nullptr) return;
  Member& place = worker.initial_team->members[0];
  const bool is_in_program =
      worker.member == &place && place.context.task == &place.implicit_task && place.context.stack == nullptr;
  if (is_in_program && !is_in_poller()) end_implicit_task(place);
}

// Its threads end first, which it is told of; those that serve other threads' teams go on.
void end_tool() {
  constexpr std::int64_t kPatienceNs = 100'000'000;
  end_own_threads(kPatienceNs);
  g_end_tool();
}

// Registered at the first use of OpenMP: objects of the program that were there before still are.
void end_region_at_exit() {
  if (Worker* const worker = known_worker()) end_initial_region(*worker);
  if (has_tool()) end_tool();
}

void open_initial_team(Worker& worker) {
  worker.member = nullptr;
  if (worker.initial_team != nullptr) dismiss(*worker.initial_team);  // of a thread that has ended
  worker.initial_team = std::make_unique<Team>(1);
  Team& team = *worker.initial_team;
  team.environment = settings().initial;
  if (settings().num_threads.size() > 1) team.num_threads_list = settings().num_threads;
  take_place(worker, team.members[0]);
  start_implicit_task(team.members[0]);
  place_initial_thread(team.members[0]);
  if (worker.id == 0) {
    set_throttle(initial_throttle());
    g_reasons.set(Reason::kOldestFirst, settings().is_oldest_first);
    look_for_suspending_functions();
    if (g_at_first_use != nullptr) g_at_first_use();
    std::atexit(end_region_at_exit);
  }
}

void leave_spawn_place(Worker& worker) {
  if (worker.spawn_team == nullptr) return;
  Team& team = *worker.spawn_team;
  Member& place = team.members[0];
  Member* const here = worker.member;
  worker.member = &place;
  run_tasks_until(place, [&] { return !has_work_in_spawn_place(place); });
  forget_dependences(place, place.implicit_task);
  worker.member = here;
  dismiss(team);
  worker.spawn_team.reset();
}

void serve(Worker& worker, Member& place) {
  Team& team = *place.team;
  take_place(worker, place);
  for (;;) {
    const auto is_open = [&] { return team.opening.is_new_to(place.number, place.seen_opening); };
    Backoff backoff;
    while (!is_open()) {
      if (needs_poll()) poll(place);
      if (backoff.spin()) continue;
      worker.cache.flush();
      sleep_until_opening(
          team, place.number, place.seen_opening, [&](int) { return sleep(place); },
          [&](int members) { look_for_more(team, members); });
    }
    hand_watch_on(place);
    place.seen_opening = team.opening.seen(place.number);
    const int size = RegionOpening<>::size_of(place.seen_opening);
    if (size == 0) break;
    if (place.number >= size) continue;
    const RegionStart& start = team.opening.start(place.number);
    if (start.has_fp_modes) adopt_fp_modes(start.fp_modes);
    execute_place(place, size, start);
  }
  forget_spare_tasks(place);
  worker.cache.flush();
  worker.member = nullptr;
  team.still_attached.leave();  // the team may be gone from here on
}

}  // namespace

void connect_region_to_team(void (*at_first_use)()) {
  g_at_first_use = at_first_use;
  give_region_calls({.serve = serve,
                     .dismiss = dismiss,
                     .open_initial_team = open_initial_team,
                     .end_initial_region = end_initial_region,
                     .leave_spawn_place = leave_spawn_place,
                     .survive_fork = survive_fork});
}

void run_as_initial_thread(void (*body)(void*), void* argument, int thread_limit) {
  Member& place = open_serial_region();
  Team& team = *place.team;
  // The next region at this depth writes both anew.
  team.level = 0;
  team.active_level = 0;
  team.league = {};
  team.contention_group = &team.own_contention_group;
  Task& task = *place.context.task;
  task.flags.clear(Task::kFinal);
  DataEnvironment environment = settings().initial;
  if (settings().num_threads.size() > 1)
    team.num_threads_list = settings().num_threads;
  else
    team.num_threads_list.clear();
  environment.default_device =
      environment_of(place).default_device;  // the program's choice, not a device's own
  if (thread_limit > 0) environment.thread_limit = std::min(thread_limit, environment.thread_limit);
  set_environment(place, environment);
  body(argument);
  close_serial_region();
}

}  // namespace heddle
