#include "tasking/events.hpp"

#include "graph/graph_event.hpp"
#include "suspend/continuation.hpp"
#include "suspend/polling.hpp"
#include "sys/fatal.hpp"
#include "tasking/completion.hpp"
#include "tasking/detached.hpp"
#include "tasking/observed.hpp"
#include "tasking/ready.hpp"
#include "team/recorder.hpp"
#include "team/watched.hpp"

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
  if (t_worker != nullptr && is_recording(*t_worker->member) && !is_in_poller()) [[unlikely]]
    recorder().refuse(*t_worker->member, "its code fulfils an event");
}

void fulfill_event(Task& task) {
  const std::uint32_t before = task.event.load(std::memory_order_acquire);
  if ((before & Task::kFulfilled) != 0) refuse_to_fulfill_again();
  if (has_tool()) [[unlikely]]
    tell_fulfilled(task);
  Team& team = *implicit_ancestor(task).place->team;
  team.visitors.fetch_add(1, std::memory_order_acq_rel);  // the team stays until we are done with it
  const int creator = task.creator;
  const std::uint32_t state = task.event.fetch_or(Task::kFulfilled, std::memory_order_seq_cst);
  if ((state & Task::kCreatorWaits) != 0) {  // it may be gone
    team.parking.wake(creator);
  } else if ((state & Task::kBodyReturned) != 0) {
    if (has_watchdog()) [[unlikely]]
      forget_detached(task);
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
  team.visitors.fetch_sub(1, std::memory_order_acq_rel);
}

}  // namespace heddle
