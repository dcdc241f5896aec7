#include "tasking/ready.hpp"

#include <algorithm>

#include "suspend/polling.hpp"

namespace heddle {
void make_ready(Member& me, Task& task) {
  task.notify_handle();
  if (me.team->order != nullptr) [[unlikely]] {
    me.team->order->make_ready(task);
    me.team->parking.wake_for_work(me.team_size);
    if (me.team->order->has_constrained_looks()) me.team->parking.wake_all(me.team_size);
    return;
  }
  if (is_oldest_first()) [[unlikely]] {
    me.team->ready.push_overflow(task);
    me.team->parking.wake_all(me.team_size);
    return;
  }
  if (const int home = home_of(me, task); home != me.number && task.priority == 0) [[unlikely]] {
    if (me.team->ready.post(home, task)) {
      me.team->parking.wake_for_work(me.team_size, home);
      return;
    }
  }
  const std::int32_t priority = task.priority;
  if (priority == 0 && is_in_poller()) [[unlikely]]
    me.arrived = std::min(me.arrived, me.team->ready.end_of(me.number));
  me.team->ready.push(me.number, task);
  Parking<>& parking = me.team->parking;
  // A constrained sleeper leaves an urgent task where it is; another it moves to the overflow list, and wakes
  // the others.
  if (priority > 0)
    parking.wake_all(me.team_size);
  else if (priority < 0)  // whether something is left of the member's own says nothing about the background
    parking.wake_for_work(me.team_size);
  else
    parking.wake_for_work(me.team_size, [&me] { return !me.team->ready.holds(me.number, 1); });
}

}  // namespace heddle
