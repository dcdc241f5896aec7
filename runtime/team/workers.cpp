#include "team/workers.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "icv/icvs.hpp"
#include "sync/process_lock.hpp"
#include "sys/machine.hpp"
#include "sys/native_thread.hpp"
#include "sys/processor.hpp"
#include "sys/stack_overflow.hpp"
#include "sys/thread_question.hpp"
#include "team/placement.hpp"
#include "team/wait.hpp"
#include "trace/observer.hpp"

namespace heddle {
constinit thread_local Worker* t_worker [[gnu::tls_model("initial-exec")]] = nullptr;

namespace {

constinit RegionCalls g_calls{};

struct Registry {
  ProcessLock lock{ProcessLock::Order::kOuter};
  std::vector<std::unique_ptr<Worker>> all;
  Worker* idle = nullptr;     // our own threads without a team
  Worker* spare = nullptr;    // our own workers without a thread
  bool keeps_idle = true;     // threads that leave a team become idle; false: they end
  int threads = 0;            // that have a worker
  int own = 0;                // of these, ours
  Worker* orphans = nullptr;  // workers whose thread, the program's, has ended
};

// In the place of an assignment: the thread is to end.
Member* end_mark() {
  return reinterpret_cast<Member*>(alignof(Member));
}

void push(Worker*& list, Worker& worker) {
  worker.next_idle = list;
  list = &worker;
}

Worker* pop(Worker*& list) {
  Worker* const first = list;
  if (first != nullptr) list = first->next_idle;
  return first;
}

// Never destroyed: our threads may outlive static destructors.
Registry& registry() {
  static auto* instance = new Registry;
  return *instance;
}

void child_of_fork() {
  Registry& all = registry();
  all.idle = nullptr;  // our own threads are lost
  Worker* const worker = known_worker();
  all.threads = worker != nullptr ? 1 : 0;
  all.own = 0;
  end_binding(worker);
  deactivate_tool();  // its locks may be held by threads that are lost
  if (worker != nullptr) {
    worker->native_id.store(native_thread_id());
    g_calls.survive_fork(*worker);
  }
  Backoff::forget_other_threads();
}

void dismiss_teams(Worker& worker) {
  g_calls.leave_spawn_place(worker);
  for (auto& team : worker.hot)
    if (team != nullptr) g_calls.dismiss(*team);
  worker.hot.clear();
}

void thread_ended(void* argument) {
  auto& worker = *static_cast<Worker*>(argument);
  g_calls.end_initial_region(worker);
  dismiss_teams(worker);
  worker.stacks.clear();
  worker.cache.flush();
  observe(&Observer::thread_ends, worker);
  take_alternate_stack();
  Registry& all = registry();
  const std::lock_guard guard(all.lock);
  push(all.orphans, worker);
  --all.threads;
}

Worker& register_worker(Registry& all) {
  all.all.push_back(std::make_unique<Worker>(static_cast<int>(all.all.size())));
  return *all.all.back();
}

void* worker_main(void* argument) {
  auto& worker = *static_cast<Worker*>(argument);
  of_this_thread(t_worker) = &worker;
  worker.native_id.store(native_thread_id());
  hear_questions();
  give_alternate_stack();
  begin_unbound(worker, true);
  observe(&Observer::thread_begins, worker, ompt_thread_worker);
  for (;;) {
    Backoff backoff;
    Member* const place = worker.assignment.take([&backoff] { return backoff.spin(); });
    if (place != end_mark()) g_calls.serve(worker, *place);
    g_calls.leave_spawn_place(worker);
    Registry& all = registry();
    all.lock.lock();
    const bool stays = place != end_mark() && all.keeps_idle;
    if (stays) push(all.idle, worker);
    all.lock.unlock();
    if (stays) continue;
    dismiss_teams(worker);
    worker.stacks.clear();
    worker.cache.flush();
    observe(&Observer::thread_ends, worker);
    take_alternate_stack();
    const std::lock_guard guard(all.lock);
    push(all.spare, worker);
    --all.threads;
    --all.own;
    of_this_thread(t_worker) = nullptr;  // destructors of the program's thread-local objects may still come
    return nullptr;
  }
}

}  // namespace

Worker::Worker(int number) : id(number) {}

Worker& adopt_thread() {
  if (g_start_tool != nullptr) g_start_tool();
  Worker* worker = known_worker();
  if (worker != nullptr) return *worker;  // the tool itself has called the runtime while it was started
  Registry& all = registry();
  all.lock.lock();
  worker = pop(all.orphans);
  if (worker == nullptr) worker = &register_worker(all);
  ++all.threads;
  all.lock.unlock();
  of_this_thread(t_worker) = worker;
  worker->native_id.store(native_thread_id());
  at_thread_end(thread_ended, worker);
  give_alternate_stack();
  begin_unbound(*worker, false);
  observe(&Observer::thread_begins, *worker, ompt_thread_initial);
  g_calls.open_initial_team(*worker);
  return *worker;
}

void give_region_calls(const RegionCalls& calls) {
  g_calls = calls;
  at_fork(nullptr, nullptr, child_of_fork);
}

void take_place(Worker& worker, Member& place) {
  place.worker = &worker;
  place.cache = &worker.cache;
  worker.member = &place;
}

void start_implicit_task(Member& place, int team_size, const RegionStart& start) {
  Team& team = *place.team;
  auto* task = new (&place.implicit_task) ImplicitTask;
  task->flags = Task::kImplicit | (start.is_in_final_task ? unsigned{Task::kFinal} : 0u);
  task->place = &place;
  task->environment = &team.environment;
  task->owner.store(static_cast<std::uint16_t>(place.number));
  place.environments.forget();
  if (team.order != nullptr) [[unlikely]]
    team.order->begin_implicit(*task, team.encountering != nullptr ? place.number : place.worker->id);
  place.context.restart(*task, nullptr);
  place.team_size = team_size;
  if (!place.requests.task.is_empty()) [[unlikely]] {
    place.requests.task = {};
    place.requests.transparency = {};
    place.reasons.remove(Reason::kRequest);
  }
  place.hold_at = 0;
  place.policy.serial_creation.forget_creator(*task);
  place.requests.threads = 0;
  place.loop = {};
  place.loop.turn = start.turn;
  place.loop.barriers = start.barriers;
  place.singles_met = start.single;
  observe(&Observer::implicit_task_begins, place);
}

bool assign_worker(Member& place) {
  Registry& all = registry();
  all.lock.lock();
  all.keeps_idle = true;
  Worker* worker = pop(all.idle);
  const bool is_new = worker == nullptr;
  if (is_new) {
    worker = pop(all.spare);
    if (worker == nullptr) worker = &register_worker(all);
    ++all.threads;
    ++all.own;
  }
  all.lock.unlock();
  if (!is_new) {
    worker->assignment.give(&place);
    return true;
  }
  worker->assignment.prepare(&place);
  if (start_thread(worker_main, worker, device_icvs().stack_bytes.load(), SignalMask::kOfProgram))
    return true;
  worker->assignment.prepare(nullptr);
  const std::lock_guard guard(all.lock);
  push(all.spare, *worker);
  --all.threads;
  --all.own;
  return false;
}

namespace {

// Ends the threads of ours that are idle, and lets no other become idle.
void end_idle_threads() {
  Registry& all = registry();
  all.lock.lock();
  all.keeps_idle = false;
  Worker* idle = std::exchange(all.idle, nullptr);
  all.lock.unlock();
  while (idle != nullptr) pop(idle)->assignment.give(end_mark());
}

}  // namespace

bool release_threads() {
  Worker& worker = this_worker();
  if (worker.initial_team == nullptr || worker.member->team != worker.initial_team.get()) return false;
  Registry& all = registry();
  all.lock.lock();
  all.keeps_idle = false;
  all.lock.unlock();
  dismiss_teams(worker);
  end_idle_threads();
  return true;
}

void end_own_threads(std::int64_t patience_ns) {
  if (known_worker() == nullptr || !release_threads()) end_idle_threads();
  const std::int64_t until = monotonic_ns() + patience_ns;
  while (own_threads() > 0 && monotonic_ns() < until) yield_cpu();
}

void visit_places(void (*visit)(const Member&, void*), void* argument) {
  Registry& all = registry();
  const std::lock_guard guard(all.lock);
  for (const auto& worker : all.all) {
    const Member* place = worker->member.seen();
    while (place != nullptr) {
      visit(*place, argument);
      place = outer_place(*place);
    }
  }
}

void wait_for_visits() {
  const std::lock_guard guard(registry().lock);
}

int own_threads() {
  Registry& all = registry();
  const std::lock_guard guard(all.lock);
  return all.own;
}

int known_threads() {
  Registry& all = registry();
  const std::lock_guard guard(all.lock);
  return all.threads;
}

}  // namespace heddle
