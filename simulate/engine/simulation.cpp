#include "simulate/engine/simulation.hpp"

#include <algorithm>
#include <utility>

#include "program/user_error.hpp"
#include "runtime/deps/dependence_table.hpp"
#include "runtime/deps/exclusion.hpp"
#include "runtime/sched/ready_set.hpp"
#include "runtime/sched/task_length.hpp"
#include "runtime/sched/throttle.hpp"
#include "simulate/engine/clock.hpp"
#include "simulate/engine/locks.hpp"
#include "simulate/engine/loops.hpp"
#include "simulate/engine/simulated_task.hpp"
#include "simulate/engine/task_memory.hpp"
#include "simulate/engine/worker.hpp"

namespace heddle::simulate {

namespace {

class Simulation {
 public:
  Simulation(const Workload& workload, const Setting& setting)
      : workload_(workload),
        costs_(setting.costs),
        has_timeline_(setting.has_timeline),
        ready_(setting.workers) {
    SimulatedClock::present = 0;
    for (int i = 0; i < setting.workers; ++i) {
      workers_.push_back(std::make_unique<SimulatedWorker>());
      workers_.back()->number = i;
      implicit_.push_back(std::make_unique<SimulatedTask>());
      implicit_.back()->task.flags.set(Task::kImplicit);
      implicit_.back()->worker = i;
    }
    implicit_of_main_.task.flags.set(Task::kImplicit);
    implicit_of_main_.worker = 0;
  }

  Outcome run() {
    SimulatedWorker& main = *workers_[0];
    main.frames.push_back({&implicit_of_main_, {{&workload_.main}}});
    for (auto& worker : workers_)
      if (worker->number != 0) worker->idle_since = 0;
    plan(main, 0);
    while (!agenda_.is_empty()) {
      SimulatedWorker& worker = *workers_[static_cast<std::size_t>(agenda_.next())];
      worker.is_planned = false;
      worker.idle_since = -1;
      step(worker);
    }
    if (!main.frames.empty() || outstanding_ != 0)
      throw program::UserError(
          "the workload does not end: tasks wait for each other in a ring, or for a lock that is never given "
          "back");
    outcome_.duration = to_ns(ended_at_);
    for (auto& worker : workers_) {
      worker->times.idle = outcome_.duration - worker->times.work - worker->times.overhead;
      outcome_.workers.push_back(worker->times);
    }
    outcome_.events = agenda_.happened();
    memory_.forget_table(implicit_of_main_);
    for (auto& task : implicit_) memory_.forget_table(*task);
    return std::move(outcome_);
  }

 private:
  // -- time

  void plan(SimulatedWorker& worker, Time after) {
    worker.is_planned = true;
    agenda_.plan(SimulatedClock::present + after, worker.number);
  }
  // The worker goes on when this is done.
  void spend(SimulatedWorker& worker, double ns) {
    worker.times.overhead += ns;
    plan(worker, from_ns(ns));
  }
  void spend_until(SimulatedWorker& worker, Time at) {
    worker.times.overhead += to_ns(at - SimulatedClock::present);
    plan(worker, at - SimulatedClock::present);
  }
  void compute(SimulatedWorker& worker, double ns) {
    worker.times.work += ns;
    const Time takes = from_ns(ns);
    note(worker, SimulatedClock::present, SimulatedClock::present + takes);
    plan(worker, takes);
  }

  void note(const SimulatedWorker& worker, Time begin, Time end) {
    if (has_timeline_ && end > begin)
      outcome_.timeline.push_back({worker.number, worker.frames.back().task->kind, to_ns(begin), to_ns(end)});
  }

  // -- waiting and waking

  void rest(SimulatedWorker& worker) { worker.idle_since = SimulatedClock::present; }

  // What a thread that waits sees how late; what waking it costs the caller is returned.
  double rouse(SimulatedWorker& worker) {
    if (worker.is_planned || worker.idle_since < 0) return 0;
    const bool sleeps = to_ns(SimulatedClock::present - worker.idle_since) > costs_.spin;
    worker.idle_since = -1;
    plan(worker, from_ns(sleeps ? costs_.wake : costs_.notice));
    return sleeps ? costs_.wake_call : 0;
  }

  // Some thread that waits looks for what has become ready.
  double rouse_one(const SimulatedWorker& by) {
    for (int i = 1; i < size_; ++i) {
      SimulatedWorker& other = *workers_[static_cast<std::size_t>((by.number + i) % size_)];
      if (other.idle_since >= 0 && !other.is_planned && may_execute(other)) return rouse(other);
    }
    return 0;
  }

  static bool may_execute(const SimulatedWorker& worker) {
    return !worker.frames.empty() && worker.frames.back().waits != Waits::kLock &&
           worker.frames.back().waits != Waits::kRegion;
  }

  double make_ready(SimulatedWorker& worker, Task& task) {
    ready_.push(worker.number, task);
    return rouse_one(worker);
  }

  [[nodiscard]] bool is_over(const SimulatedWorker& worker, const Frame& frame) const {
    const SimulatedTask& task = *frame.task;
    switch (frame.waits) {
      case Waits::kChildren:
      case Waits::kToBeAlone:
        return task.children == 0;
      case Waits::kDescendants:
        return task.descendants == 0;
      case Waits::kHelps:
        return task.children <= frame.until;
      case Waits::kBarrier:
        return passed_[static_cast<std::size_t>(worker.number)] < barriers_;
      case Waits::kNot:
        return true;
      case Waits::kLock:
      case Waits::kRegion:
        return false;
    }
    return true;
  }

  StartRule rule_of(const SimulatedWorker& worker) const {
    const Frame& frame = worker.frames.back();
    const bool is_free = frame.waits == Waits::kBarrier || frame.task->task.is_untied();
    return {is_free ? nullptr : &frame.task->task, nullptr};
  }

  // -- a worker's next step

  void step(SimulatedWorker& worker) {
    if (worker.frames.empty()) return;  // a thread without a region
    Frame& frame = worker.frames.back();
    if (!is_over(worker, frame)) return look(worker);
    if (frame.waits != Waits::kNot) end_wait(worker);
    advance(worker);
  }

  void end_wait(SimulatedWorker& worker) {
    Frame& frame = worker.frames.back();
    if (frame.waits == Waits::kToBeAlone) worker.policy.alone.begin(&frame.task->task);
    if (frame.waits == Waits::kBarrier) ++passed_[static_cast<std::size_t>(worker.number)];
    if (frame.waits == Waits::kHelps || frame.waits == Waits::kToBeAlone) --worker.inline_depth;
    if (frame.waits == Waits::kBarrier || frame.waits == Waits::kChildren)
      worker.policy.alone.wait_ends(&frame.task->task);
    frame.task->waiter = nullptr;
    frame.waits = Waits::kNot;
  }

  void wait(SimulatedWorker& worker, Waits waits) {
    Frame& frame = worker.frames.back();
    frame.waits = waits;
    frame.task->waiter = &worker;
    if (waits == Waits::kChildren) worker.policy.alone.wait_begins(&frame.task->task);
    look(worker);
  }

  void look(SimulatedWorker& worker) {
    if (find(worker)) return;
    Frame& frame = worker.frames.back();
    if (frame.waits == Waits::kHelps) {  // nothing is there: it goes on creating
      worker.policy.helps.was_in_vain();
      end_wait(worker);
      return spend(worker, costs_.take);
    }
    rest(worker);
  }

  // Begins a ready task. Returns whether there was one.
  bool find(SimulatedWorker& worker) {
    if (!may_execute(worker)) return false;
    bool moved = false, left_some = false;
    double cost = costs_.take;
    Task* task = ready_.take_own(worker.number, rule_of(worker), &moved);
    if (task == nullptr) {
      task = ready_.take_elsewhere(worker.number, size_, rule_of(worker), true, &moved, &left_some);
      if (task == nullptr && !left_some)
        task = ready_.take_background(worker.number, size_, rule_of(worker), &moved);
      cost = costs_.steal;
      outcome_.stolen += task != nullptr ? 1 : 0;
      if (task != nullptr && !ready_.looks_empty(size_))
        cost += rouse_one(worker);  // it has searched: hands on
    }
    if (moved)
      for (auto& other : workers_)
        if (other->number < size_ && may_execute(*other)) cost += rouse(*other);
    if (task == nullptr) return false;
    if (worker.frames.back().waits == Waits::kHelps) worker.policy.helps.was_of_use();
    begin(worker, SimulatedTask::of(*task), false);
    spend(worker, cost);
    return true;
  }

  void begin(SimulatedWorker& worker, SimulatedTask& task, bool is_at_once) {
    task.worker = worker.number;
    task.task.owner.store(static_cast<std::uint16_t>(worker.number), std::memory_order_relaxed);
    worker.frames.push_back(
        {&task, {{&task.text->script}}, Waits::kNot, 0, is_at_once, SimulatedClock::present});
  }

  void advance(SimulatedWorker& worker) {
    for (;;) {
      Frame& frame = worker.frames.back();
      Cursor& cursor = frame.cursors.back();
      if (cursor.at == cursor.script->size()) {
        const bool was_nested = frame.cursors.size() > 1;
        frame.cursors.pop_back();
        if (was_nested) continue;
        return end(worker);
      }
      const Step step = (*cursor.script)[cursor.at++];
      if (execute(worker, step)) return;
    }
  }

  // Returns whether the worker is planned, waits or is over; otherwise it goes on at once.
  bool execute(SimulatedWorker& worker, Step step) {
    Frame& frame = worker.frames.back();
    const Cursor here = frame.cursors.back();
    const auto index = static_cast<std::size_t>(step.value);
    switch (step.op) {
      case Op::kWork:
        if (step.value == 0) return false;
        compute(worker, static_cast<double>(step.value));
        return true;
      case Op::kCreate:
        create(worker, workload_.tasks[index]);
        return true;
      case Op::kTaskwait:
      case Op::kGroupEnd: {
        const bool is_wait = step.op == Op::kTaskwait;
        if ((is_wait ? frame.task->children : frame.task->descendants) == 0) {
          spend(worker, costs_.wait);
        } else {
          wait(worker, is_wait ? Waits::kChildren : Waits::kDescendants);
        }
        return true;
      }
      case Op::kBarrier:
        arrive(worker, here.threads);
        return true;
      case Op::kPieces: {
        const auto& list = workload_.pieces[index];
        for (std::size_t i = list.size(); i-- > 0;)
          if (static_cast<int>(i) % here.threads == here.thread)
            worker.frames.back().cursors.push_back({&list[i], 0, here.thread, here.threads});
        return false;
      }
      case Op::kSingle: {
        if (here.threads > 1) {
          // The k-th that a thread meets belongs to the first that meets its k-th.
          std::int64_t& met = singles_met_[static_cast<std::size_t>(worker.number)];
          if (met++ < singles_done_) return false;
          ++singles_done_;
        }
        worker.frames.back().cursors.push_back({&workload_.scripts[index], 0, here.thread, here.threads});
        return false;
      }
      case Op::kLoop:
        return loop(worker, workload_.loops[index], step.value, here);
      case Op::kLock:
        if (locks_.take(step.value, worker)) {
          spend_until(worker, locks_.line_of(step.value).use(from_ns(costs_.line)));
        } else {
          frame.waits = Waits::kLock;
          rest(worker);
        }
        return true;
      case Op::kUnlock: {
        double cost = costs_.wait;
        if (SimulatedWorker* const next = locks_.give_back(step.value)) {
          next->frames.back().waits = Waits::kNot;
          cost += rouse(*next);
        }
        spend(worker, cost);
        return true;
      }
      case Op::kRegion:
        open(worker, workload_.regions[index]);
        return true;
    }
    return false;
  }

  // Returns whether there was anything to do for this thread.
  bool loop(SimulatedWorker& worker, const LoopText& text, std::int64_t number, const Cursor& here) {
    if (text.schedule == Schedule::kStatic || here.threads == 1) {
      const double takes = text.time_of(static_share(text, here.thread, here.threads));
      if (takes <= 0) return false;
      compute(worker, takes);
      return true;
    }
    const auto [share, iterations] = handed_out_.next(text, number, here.threads);
    if (iterations == 0) return false;
    --worker.frames.back().cursors.back().at;  // it comes again
    const Time got = loop_line_.use(from_ns(costs_.line));
    const double overhead =
        to_ns(got - SimulatedClock::present) + costs_.chunk * static_cast<double>(iterations);
    const double takes = text.time_of(share);
    const Time begin = SimulatedClock::present + from_ns(overhead);
    worker.times.overhead += overhead;
    worker.times.work += takes;
    note(worker, begin, begin + from_ns(takes));
    plan(worker, from_ns(overhead + takes));
    return true;
  }

  // -- tasks

  void create(SimulatedWorker& worker, const TaskText& text) {
    SimulatedTask& parent = *worker.frames.back().task;
    SimulatedTask& task = memory_.make(parent, text);
    ++outcome_.tasks;
    ++outstanding_;
    ++parent.children;
    for (SimulatedTask* above = &parent; above != nullptr; above = above->parent) ++above->descendants;
    double cost = costs_.dependence * static_cast<double>(text.dependences.size());
    const Position creator{*this, worker};
    bool is_ready = true;
    if (!text.dependences.empty()) {
      const Decision first = worker.policy.place(creator, true);
      if (first.where == Where::kInline && parent.children == 1) return at_once(worker, task, cost);
      is_ready = memory_.enter(parent, task);
      if (!is_ready) cost += costs_.create;
    }
    if (is_ready) {
      const Decision decision = text.dependences.empty()
                                    ? worker.policy.place(creator, false)
                                    : SpawnPolicy<SimulatedClock>::place_ready(0, creator);
      if (text.is_undeferred || decision.where == Where::kInline)
        return at_once(worker, task, cost, decision.why == Why::kAlone);
      cost += costs_.create + make_ready(worker, task.task);
    } else if (text.is_undeferred) {
      // Its creator waits for it, and executes others meanwhile.
      return wait(worker, Waits::kChildren);
    }
    std::int32_t many = 0;
    const auto has_many = [&] {
      many = many_children(Throttle{}.tasks, size_);
      return parent.children > many;
    };
    switch (worker.policy.published(has_many)) {
      case Next::kGoOn:
        break;
      case Next::kHelp:
        if (worker.inline_depth < limits::kDeepestInline) {
          ++worker.inline_depth;
          worker.frames.back().until = many / 2;
          worker.frames.back().waits = Waits::kHelps;
        }
        break;
      case Next::kTryAlone:
        if (!short_tasks_.are_short()) {
          worker.policy.alone.stay();
        } else {
          ++worker.inline_depth;
          worker.frames.back().waits = Waits::kToBeAlone;
          parent.waiter = &worker;
        }
        break;
    }
    spend(worker, cost);
  }

  // A worker as the creator of its current task's children.
  struct Position {
    const Simulation& whole;
    const SimulatedWorker& me;
    [[nodiscard]] int team_size() const { return whole.size_; }
    [[nodiscard]] int inline_depth() const { return me.inline_depth; }
    [[nodiscard]] unsigned depth() const { return me.frames.back().task->task.depth; }
    [[nodiscard]] const Task* task() const { return &me.frames.back().task->task; }
    [[nodiscard]] bool children_complete() const {
      return me.frames.back().task->children <= 1;
    }  // the new one
    [[nodiscard]] bool has_urgent() const { return false; }
    [[nodiscard]] bool queue_holds(std::int64_t count) const {
      return const_cast<ReadySet&>(whole.ready_).holds(me.number, count);
    }
    [[nodiscard]] std::int64_t queued() const { return Throttle{}.tasks; }
    [[nodiscard]] std::int64_t queued_in_recursion() const { return Throttle{}.nested_tasks; }
  };

  void at_once(SimulatedWorker& worker, SimulatedTask& task, double cost, bool is_alone = false) {
    ++outcome_.executed_at_once;
    ++worker.inline_depth;
    if (is_alone) worker.policy.alone.begins();
    begin(worker, task, true);
    spend(worker, cost + costs_.create_at_once);
  }

  void end(SimulatedWorker& worker) {
    const Frame frame = std::move(worker.frames.back());
    worker.frames.pop_back();
    SimulatedTask& task = *frame.task;
    if (task.text == nullptr) return end_implicit(worker, task);
    worker.policy.alone.forget_creator(task.task);
    const double length = to_ns(SimulatedClock::present - frame.began);
    if (task.memory_children == 0) short_tasks_.judge(static_cast<std::int64_t>(length));
    if (frame.is_at_once) {
      --worker.inline_depth;
      if (worker.policy.alone.is(&task.parent->task)) worker.policy.alone.executed();
      if (task.task.depth > limits::kRecursion && worker.policy.cutoff.is_due())
        worker.policy.cutoff.judge(static_cast<std::int64_t>(length), worker.policy.cutoff.executed());
    }
    memory_.forget_table(task);
    double cost = costs_.complete;
    SimulatedTask* const next = complete(worker, task, &cost);
    if (next != nullptr) begin(worker, *next, false);
    spend(worker, cost);
  }

  // Returns who is executed next by the same worker.
  SimulatedTask* complete(SimulatedWorker& worker, SimulatedTask& task, double* cost) {
    if ((task.task.flags & Task::kHasExclusions) != 0)
      return_exclusions(task.task, [&](Task& ready) { *cost += make_ready(worker, ready); });
    SimulatedTask* next = nullptr;
    bool is_free = true;
    if ((task.task.flags & Task::kNamed) != 0) {
      const auto closed = task.task.successors.close(SuccessorList<>::Closing::kLeaves);
      is_free = closed.was_abandoned;
      const auto released = [&](Task& successor) {
        *cost += costs_.release;
        if (!release_one(successor)) return;
        SimulatedTask& it = SimulatedTask::of(successor);
        if (it.text->is_undeferred) {
          ready_.set_aside(successor);
          if (it.parent->waiter != nullptr) *cost += rouse(*it.parent->waiter);
          return;
        }
        if ((successor.flags & Task::kHasExclusions) != 0 && !collect_exclusions(successor)) return;
        const bool may_follow =
            !worker.frames.empty() && may_execute(worker) && may_start(successor, rule_of(worker));
        if (!may_follow) {
          *cost += make_ready(worker, successor);
          return;
        }
        if (next != nullptr) *cost += make_ready(worker, next->task);
        next = &it;
      };
      for (const Edge* edge = closed.edges; edge != nullptr;) {
        Task& successor = *edge->successor;
        edge = edge->next;
        released(successor);
      }
      for (std::uint32_t i = closed.directs; i > 0; --i) released(*closed.direct[i - 1]);
    }
    memory_.release_edges(task);
    SimulatedTask& parent = *task.parent;
    if (parent.worker != worker.number)
      *cost += to_ns(parent.line.use(from_ns(costs_.line)) - SimulatedClock::present);
    --parent.children;
    for (SimulatedTask* above = &parent; above != nullptr; above = above->parent) {
      --above->descendants;
      SimulatedWorker* const waiter = above->waiter;
      if (waiter == nullptr || waiter->frames.empty()) continue;
      // Where it executes another meanwhile it looks when that has ended.
      const Frame& top = waiter->frames.back();
      if (top.task == above && is_over(*waiter, top)) *cost += rouse(*waiter);
    }
    --outstanding_;
    task.is_complete = true;
    task.is_free = task.is_free || is_free;
    TaskMemory::release(&task);
    pass_barrier();
    return next;
  }

  // -- regions

  void open(SimulatedWorker& worker, const RegionText& region) {
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
    worker.frames.back().waits = Waits::kRegion;
    double cost = costs_.fork;
    for (int i = 0; i < threads; ++i) {
      SimulatedTask& implicit = *implicit_[static_cast<std::size_t>(i)];
      implicit.kind = region.kind;
      SimulatedWorker& other = *workers_[static_cast<std::size_t>(i)];
      other.frames.push_back({&implicit, {{&region.script, 0, i, threads}}});
      if (i != 0) cost += rouse(other);
    }
    spend(worker, cost);
  }

  void arrive(SimulatedWorker& worker, int threads) {
    if (threads == 1) {
      if (worker.frames.back().task->descendants == 0) return spend(worker, costs_.wait);
      return wait(worker, Waits::kDescendants);
    }
    ++arrived_;
    // The next look is when the line has been there.
    worker.frames.back().waits = Waits::kBarrier;
    pass_barrier();
    spend_until(worker, barrier_line_.use(from_ns(costs_.line)));
  }

  void pass_barrier() {
    if (size_ == 1 || arrived_ != size_ || outstanding_ != 0) return;
    arrived_ = 0;
    ++barriers_;
    for (auto& worker : workers_)
      if (!worker->frames.empty() && worker->frames.back().waits == Waits::kBarrier) rouse(*worker);
  }

  void end_implicit(SimulatedWorker& worker, SimulatedTask& task) {
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

  const Workload& workload_;
  const Costs costs_;
  const bool has_timeline_;
  ReadySet ready_;
  TaskMemory memory_;
  Agenda<int> agenda_;
  std::vector<std::unique_ptr<SimulatedWorker>> workers_;
  std::vector<std::unique_ptr<SimulatedTask>> implicit_;
  SimulatedTask implicit_of_main_;
  int size_ = 1;  // of the team
  std::int64_t outstanding_ = 0;
  int arrived_ = 0, ended_ = 0;
  std::int64_t barriers_ = 0, singles_done_ = 0;
  std::vector<std::int64_t> passed_, singles_met_;  // by worker
  SharedLine barrier_line_, loop_line_;
  Locks locks_;
  LoopsHandedOut handed_out_;
  ShortTaskVote short_tasks_;
  Time ended_at_ = 0;
  Outcome outcome_;
};

}  // namespace

Outcome simulate(const Workload& workload, const Setting& setting) {
  return Simulation(workload, setting).run();
}

}  // namespace heddle::simulate
