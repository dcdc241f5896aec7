// heddle.h: waits, throttle, background tasks, handles and pollers.
#include "heddle.h"

#include "abi/export.hpp"
#include "suspend/polling.hpp"
#include "sys/fatal.hpp"
#include "tasking/execute.hpp"
#include "tasking/throttle.hpp"
#include "team/team.hpp"

using namespace heddle;

namespace {

Task* task_of(heddle_task_t handle) {
  return reinterpret_cast<Task*>(handle);
}

}  // namespace

HEDDLE_EXPORT int heddle_version() {
  return HEDDLE_VERSION_NUMBER;
}

HEDDLE_EXPORT void heddle_set_wait(heddle_wait_t wait) {
  if (wait != heddle_wait_throughput && wait != heddle_wait_latency) {
    warn("heddle_set_wait(%d): heddle_wait_throughput and heddle_wait_latency are known; ignored",
         static_cast<int>(wait));
    return;
  }
  change_environment(this_member(),
                     [wait](DataEnvironment& e) { e.waits_for_latency = wait == heddle_wait_latency; });
}

HEDDLE_EXPORT heddle_wait_t heddle_get_wait() {
  return environment_of(this_member()).waits_for_latency ? heddle_wait_latency : heddle_wait_throughput;
}

HEDDLE_EXPORT void heddle_set_throttle(long tasks, std::size_t bytes) {
  if (tasks < HEDDLE_HOLD) {
    warn("heddle_set_throttle(%ld, ...): a number of tasks, 0 or HEDDLE_HOLD is wanted; ignored", tasks);
    return;
  }
  Member& me = this_member();  // the first to come reads the environment
  const Throttle initial = initial_throttle();
  Throttle wanted = initial;
  if (tasks != 0) wanted.tasks = wanted.nested_tasks = tasks == HEDDLE_HOLD ? Throttle::kHold : tasks;
  if (bytes != 0) wanted.bytes = bytes;
  set_throttle(wanted);
  me.hold_at = 0;
}

HEDDLE_EXPORT void heddle_next_task_background() {
  request(this_member(), {.is_background = true});
}

HEDDLE_EXPORT void heddle_next_task_handle(heddle_task_t* task) {
  *task = nullptr;
  request(this_member(), {.handle = reinterpret_cast<Task**>(task)});
}

HEDDLE_EXPORT heddle_run_t heddle_run_task(heddle_task_t* task) {
  if (*task == nullptr) return heddle_run_started;
  Member& me = this_member();
  switch (run_task_now(me, *task_of(*task))) {
    case RunNow::kNotReady:
      return heddle_run_not_ready;
    case RunNow::kStarted:
      *task = nullptr;
      return heddle_run_started;
    case RunNow::kDone:
      break;
  }
  *task = nullptr;
  return heddle_run_done;
}

HEDDLE_EXPORT heddle_poller_t heddle_register_poller(void (*poll)(void*), void* argument,
                                                     unsigned interval_us) {
  constexpr std::int64_t kNsInUs = 1000;
  PollerSlot<>* const slot = add_poller(this_member(), {poll, argument, std::int64_t{interval_us} * kNsInUs});
  if (slot == nullptr)
    warn("heddle_register_poller: %d pollers are registered already; unregister one first", kMostPollers);
  return reinterpret_cast<heddle_poller_t>(slot);
}

HEDDLE_EXPORT void heddle_unregister_poller(heddle_poller_t poller) {
  if (poller != nullptr) remove_poller(*reinterpret_cast<PollerSlot<>*>(poller));
}

HEDDLE_EXPORT void heddle_free_task(heddle_task_t* task) {
  if (*task == nullptr) return;
  give_handle_back(this_member(), *task_of(*task));
  *task = nullptr;
}
