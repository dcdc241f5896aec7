// Regions of a process, and their barriers.
#include <algorithm>
#include <string>

#include "program/user_error.hpp"
#include "simulate/engine/process.hpp"

namespace heddle::simulate {

void Process::open(SimulatedWorker& worker, const RegionText& region) {
  if (size_ > 1 || workers_.size() == 1) {  // a region in a region is one thread's
    worker.frames.back().cursors.push_back({&region.script, 0, 0, 1});
    return spend(worker, costs_.wait);
  }
  const int threads = static_cast<int>(workers_.size());
  if (region.is_fixed && region.threads != threads)
    throw program::UserError("threads of \"" + workload_.kinds[static_cast<std::size_t>(region.kind)] +
                             "\" do different things: simulate it with as many threads as the trace has, " +
                             std::to_string(region.threads));
  size_ = threads;
  arrived_ = barriers_ = singles_done_ = ended_ = 0;
  passed_.assign(workers_.size(), 0);
  singles_met_.assign(workers_.size(), 0);
  handed_out_.forget();
  worker.frames.back().waits = Waits::kRegion;
  double cost = costs_.fork;
  for (int i = 0; i < threads; ++i) {
    SimulatedTask& implicit = *implicit_[static_cast<std::size_t>(i)];
    implicit.kind = region.kind;
    SimulatedWorker& other = *workers_[static_cast<std::size_t>(i)];
    record_task(other, implicit, Timeline::kNoTask);
    other.frames.push_back({&implicit, {{&region.script, 0, i, threads}}});
    if (i != 0) cost += rouse(other);
  }
  spend(worker, cost);
}

void Process::arrive(SimulatedWorker& worker, int threads) {
  if (threads == 1) {
    if (worker.frames.back().task->descendants == 0) return spend(worker, costs_.wait);
    return wait(worker, Waits::kDescendants);
  }
  ++arrived_;
  // The next look is when the line has been there.
  worker.frames.back().waits = Waits::kBarrier;
  worker.policy.serial_creation.wait_begins(&worker.frames.back().task->task);
  pass_barrier();
  spend_until(worker, barrier_line_.use(from_ns(costs_.line)));
}

void Process::pass_barrier() {
  if (size_ == 1 || arrived_ != size_ || outstanding_ != 0) return;
  arrived_ = 0;
  ++barriers_;
  handed_out_.forget();
  for (auto& worker : workers_)
    if (!worker->frames.empty() && worker->frames.back().waits == Waits::kBarrier) rouse(*worker);
}

void Process::end_implicit(SimulatedWorker& worker, SimulatedTask& task) {
  ended_at_ = std::max(ended_at_, SimulatedClock::present);
  if (&task == &implicit_of_main_) return;
  memory_.forget_table(task);
  rest(worker);
  if (++ended_ != size_) return;
  SimulatedWorker& main = *workers_[0];
  size_ = 1;
  main.frames.back().waits = Waits::kNot;
  if (&worker == &main)
    plan(main, 0);
  else
    rouse(main);
}

}  // namespace heddle::simulate
