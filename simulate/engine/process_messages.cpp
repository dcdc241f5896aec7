// A process' ends of messages.
#include <utility>

#include "simulate/engine/process.hpp"

namespace heddle::simulate {

void Process::await(SimulatedWorker& worker, const PostingHandle& posting) {
  if (posting->is_complete) return spend(worker, costs_.messages.receive);
  worker.frames.back().waits = Waits::kMessage;
  worker.frames.back().awaited = posting;
  posting->waiter = &worker;
  rest(worker);
}

void Process::message_done(Posting& posting) {
  if (SimulatedWorker* const waiter = posting.waiter) {
    waiter->times.overhead += costs_.messages.receive;
    plan(*waiter, from_ns(costs_.messages.receive));
  }
  SimulatedTask* const task = posting.bound;
  if (task == nullptr || --task->messages > 0 || !task->has_returned) return;
  returned_.push_back(task);
  rouse_one(0);
}

double Process::poll(SimulatedWorker& worker) {
  double cost = 0;
  for (SimulatedTask* const task : std::exchange(returned_, {})) {
    cost += costs_.messages.receive;
    SimulatedTask* const next = complete(worker, *task, &cost);
    if (next != nullptr) cost += make_ready(worker, next->task);
  }
  return cost;
}

}  // namespace heddle::simulate
