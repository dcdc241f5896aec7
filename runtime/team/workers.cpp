#include "team/workers.hpp"

#include <mutex>
#include <vector>

#include "sync/futex_lock.hpp"
#include "sys/futex.hpp"
#include "sys/native_thread.hpp"
#include "team/device_icvs.hpp"
#include "team/process_fork.hpp"
#include "team/wait.hpp"

namespace heddle {
namespace {

struct Registry {
  FutexLock lock;
  std::vector<std::unique_ptr<Worker>> all;
  Worker* idle = nullptr;     // our own threads without a team
  Worker* orphans = nullptr;  // workers whose thread, the program's, has ended
};

thread_local Worker* t_worker [[gnu::tls_model("initial-exec")]] = nullptr;

Registry& registry();

void child_of_fork() {
  Registry& all = registry();
  all.lock.unlock();
  all.idle = nullptr;  // our own threads are lost
  if (t_worker != nullptr) survive_fork(*t_worker);
  Backoff::forget_other_threads();
}

// Never destroyed: our threads may outlive static destructors.
Registry& registry() {
  static auto* instance = [] {
    at_fork([] { registry().lock.lock(); }, [] { registry().lock.unlock(); }, child_of_fork);
    return new Registry;
  }();
  return *instance;
}

void thread_ended(void* argument) {
  auto& worker = *static_cast<Worker*>(argument);
  for (auto& team : worker.hot)
    if (team != nullptr) dismiss(*team);
  worker.hot.clear();
  worker.cache.flush();
  Registry& all = registry();
  const std::lock_guard guard(all.lock);
  worker.next_idle = all.orphans;
  all.orphans = &worker;
}

Worker& register_worker(Registry& all) {
  all.all.push_back(std::make_unique<Worker>(static_cast<int>(all.all.size())));
  return *all.all.back();
}

Worker& adopt_thread() {
  Registry& all = registry();
  all.lock.lock();
  Worker* worker = all.orphans;
  if (worker != nullptr)
    all.orphans = worker->next_idle;
  else
    worker = &register_worker(all);
  all.lock.unlock();
  t_worker = worker;
  at_thread_end(thread_ended, worker);
  open_initial_team(*worker);
  return *worker;
}

void* worker_main(void* argument) {
  auto& worker = *static_cast<Worker*>(argument);
  t_worker = &worker;
  for (;;) {
    std::uint32_t call = 0;
    Backoff backoff;
    // acquire: pairs with the release in assign_worker()
    while (worker.assignment.load(std::memory_order_acquire) == nullptr) {
      call = worker.call.load(std::memory_order_acquire);
      if (worker.assignment.load(std::memory_order_acquire) == nullptr && !backoff.spin())
        futex_wait(worker.call, call);
    }
    serve(worker, *worker.assignment.exchange(nullptr, std::memory_order_acquire));
    Registry& all = registry();
    const std::lock_guard guard(all.lock);
    worker.next_idle = all.idle;
    all.idle = &worker;
  }
}

}  // namespace

Worker::Worker(int number) : id(number) {}

Worker& this_worker() {
  return t_worker != nullptr ? *t_worker : adopt_thread();
}

bool assign_worker(Member& place) {
  Registry& all = registry();
  all.lock.lock();
  Worker* worker = all.idle;
  const bool is_new = worker == nullptr;
  if (is_new)
    worker = &register_worker(all);
  else
    all.idle = worker->next_idle;
  all.lock.unlock();
  worker->assignment.store(&place, std::memory_order_release);
  if (!is_new) {
    worker->call.fetch_add(1, std::memory_order_release);
    futex_wake(worker->call, 1);
    return true;
  }
  if (start_thread(worker_main, worker, device_icvs().stack_bytes.load(std::memory_order_relaxed)))
    return true;
  worker->assignment.store(nullptr, std::memory_order_relaxed);
  const std::lock_guard guard(all.lock);
  worker->next_idle = all.orphans;  // a worker without a thread: the next thread of the program takes it
  all.orphans = worker;
  return false;
}

}  // namespace heddle
