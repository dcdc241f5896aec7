// A task that does nothing but wait for others and be waited for: it keeps the place of a construct among the
// tasks (taskwait nowait: OpenMP 5.2, section 15.5; data movement where data stays where it is).
#pragma once

#include "replay/taskgraph.hpp"
#include "tasking/create.hpp"
#include "tasking/request.hpp"

namespace heddle {

inline void submit_empty_task(Member& me, std::span<const Dependence> dependences, CallSite where) {
  if (is_recording(me)) [[unlikely]]
    record_task(me, {}, dependences, Gate::kNo);
  const RequestAside of_next_task(me);
  Task& empty = new_task(me, 0, 0);
  empty.body = [](Task&) {};
  observe(&Observer::task_created, empty, {where, dependences});
  submit(me, empty, dependences);
}

}  // namespace heddle
