#include "suspend/task_sleep.hpp"

#include <algorithm>

#include "suspend/sleepers.hpp"
#include "suspend/spawned.hpp"
#include "suspend/suspension.hpp"
#include "sys/machine.hpp"

namespace heddle {

std::int64_t sleep_task(Member& me, std::int64_t ns, const void* lock) {
  expect_suspension();
  const std::int64_t began = monotonic_ns();
  if (SpawnedTask* const spawned = SpawnedTask::of(*me.context.task)) {
    sleep_spawned(*spawned, std::max<std::int64_t>(ns, 0));
    return monotonic_ns() - began;
  }
  Suspension self(me, lock != nullptr ? WaitsFor::kLock : WaitsFor::kTime, lock);
  add_sleeper(me, self, began + std::max<std::int64_t>(ns, 0));
  suspend(self);
  return monotonic_ns() - began;
}

}  // namespace heddle
