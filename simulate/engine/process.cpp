#include "simulate/engine/process.hpp"

#include <algorithm>
#include <utility>

#include "runtime/sched/limits.hpp"
#include "simulate/engine/placement.hpp"
#include "simulate/engine/rules_of.hpp"

namespace heddle::simulate {

namespace {

// A worker that spins under a constraint takes what it finds of anybody when it has looked in vain for long
// (limits::kLooksInVain).
constexpr double kLooksInVainNs = 10e3;

bool binds(const ProcessText& text) {
  return std::ranges::any_of(text.tasks, [](const TaskText& task) {
    return std::ranges::any_of(task.script, [](const Step& step) { return step.op == Op::kBind; });
  });
}

}  // namespace

Process::Process(const World& world, int number, Timeline* timeline)
    : workload_(world.workload),
      text_(world.workload.processes[static_cast<std::size_t>(number)]),
      number_(number),
      costs_(world.setting.costs),
      timeline_(timeline),
      agenda_(world.agenda),
      messages_(world.messages),
      posted_(text_.messages.size()),
      binds_(binds(text_)),
      homes_(sockets_of(number, static_cast<int>(world.workload.processes.size()), world.setting),
             world.setting.remote),
      rules_(rules_of(world.setting.runtime, costs_, homes_)) {
  for (int i = 0; i < world.setting.workers; ++i) {
    workers_.push_back(std::make_unique<SimulatedWorker>());
    workers_.back()->number = i;
    implicit_.push_back(std::make_unique<SimulatedTask>());
    implicit_.back()->task.flags.set(Task::kImplicit);
    implicit_.back()->worker = i;
  }
  implicit_of_main_.task.flags.set(Task::kImplicit);
  implicit_of_main_.worker = 0;
}

void Process::start() {
  SimulatedWorker& main = *workers_[0];
  implicit_of_main_.kind = Timeline::kInitial;
  record_task(main, implicit_of_main_, Timeline::kNoTask);
  main.frames.push_back({&implicit_of_main_, {{&text_.main}}});
  for (auto& worker : workers_)
    if (worker->number != 0) worker->idle_since = 0;
  plan(main, 0);
}

void Process::step(int worker) {
  SimulatedWorker& it = *workers_[static_cast<std::size_t>(worker)];
  it.is_planned = false;
  it.idle_since = -1;
  go_on(it);
}

void Process::look_again(int worker, Time waits_since) {
  SimulatedWorker& it = *workers_[static_cast<std::size_t>(worker)];
  if (it.is_planned || it.idle_since != waits_since) return;
  it.idle_since = -1;
  if (!find(it, Reach::kAll)) it.idle_since = waits_since;
}

void Process::tell(Outcome& whole) {
  for (auto& worker : workers_) whole.workers.push_back(worker->times);
  whole.tasks += outcome_.tasks;
  whole.executed_inline += outcome_.executed_inline;
  whole.stolen += outcome_.stolen;
  memory_.forget_table(implicit_of_main_);
  for (auto& task : implicit_) memory_.forget_table(*task);
}

void Process::plan(SimulatedWorker& worker, Time after) {
  worker.is_planned = true;
  agenda_.plan(SimulatedClock::present + after, {Event::What::kWorker, number_, worker.number});
}

void Process::spend(SimulatedWorker& worker, double ns) {
  worker.times.overhead += ns;
  const Time takes = from_ns(ns);
  note(worker, SimulatedClock::present, SimulatedClock::present + takes, true);
  plan(worker, takes);
}

void Process::spend_until(SimulatedWorker& worker, Time at) {
  worker.times.overhead += to_ns(at - SimulatedClock::present);
  note(worker, SimulatedClock::present, at, true);
  plan(worker, at - SimulatedClock::present);
}

void Process::compute(SimulatedWorker& worker, double ns) {
  worker.times.work += ns;
  const Time takes = from_ns(ns);
  note(worker, SimulatedClock::present, SimulatedClock::present + takes, false);
  plan(worker, takes);
}

void Process::note(const SimulatedWorker& worker, Time begin, Time end, bool is_of_runtime) {
  if (timeline_ == nullptr || end <= begin) return;
  const std::int64_t task = worker.frames.empty() ? Timeline::kNoTask : worker.frames.back().task->number;
  timeline_->stretches.push_back({number_, worker.number, task, is_of_runtime, to_ns(begin), to_ns(end)});
}

void Process::record_task(const SimulatedWorker& worker, SimulatedTask& task, std::int64_t creator) {
  if (timeline_ == nullptr) return;
  task.number = static_cast<std::int64_t>(timeline_->tasks.size());
  timeline_->tasks.push_back({number_, task.kind, worker.number, creator, to_ns(SimulatedClock::present)});
}

void Process::rest(SimulatedWorker& worker) {
  worker.idle_since = SimulatedClock::present;
}

double Process::rouse(SimulatedWorker& worker) {
  if (worker.is_planned || worker.idle_since < 0) return 0;
  const bool sleeps = to_ns(SimulatedClock::present - worker.idle_since) > costs_.spin;
  worker.idle_since = -1;
  plan(worker, from_ns(sleeps ? costs_.wake : costs_.notice));
  return sleeps ? costs_.wake_call : 0;
}

template <class IsWorthIt>
double Process::rouse_first(int first, IsWorthIt&& is_worth_it) {
  for (int i = 0; i < size_; ++i) {
    SimulatedWorker& other = *workers_[static_cast<std::size_t>((first + i) % size_)];
    if (other.idle_since < 0 || other.is_planned || !may_execute(other)) continue;
    if (is_worth_it(other)) return rouse(other);
  }
  return 0;
}

double Process::rouse_one(int first, const Task* task) {
  return rouse_first(first, [&](const SimulatedWorker& other) {
    return task == nullptr || rules_->may_take(other, *task, rule_of(other));
  });
}

bool Process::may_execute(const SimulatedWorker& worker) {
  if (worker.frames.empty()) return false;
  const Waits waits = worker.frames.back().waits;
  return waits != Waits::kLock && waits != Waits::kRegion && waits != Waits::kMessage;
}

int Process::home_of(const SimulatedWorker& worker, const Task& task) const {
  const int home = rules_->home_of(task);
  return home >= 0 && home < size_ ? home : worker.number;
}

double Process::make_ready(SimulatedWorker& worker, Task& task) {
  const int home = home_of(worker, task);
  if (home != worker.number && rules_->post(home, task)) return rouse_one(home, &task);
  const double cost = rules_->push(worker, task);
  return cost + rouse_one(worker.number + 1, &task);
}

bool Process::is_over(const SimulatedWorker& worker, const Frame& frame) const {
  const SimulatedTask& task = *frame.task;
  switch (frame.waits) {
    case Waits::kChildren:
    case Waits::kToCreateSerially:
      return task.children == 0;
    case Waits::kDescendants:
      return task.descendants == 0;
    case Waits::kUndeferred:
      return task.undeferred == 0;
    case Waits::kHelps:
      return task.children <= frame.until;
    case Waits::kBarrier:
      return passed_[static_cast<std::size_t>(worker.number)] < barriers_;
    case Waits::kNot:
      return true;
    case Waits::kMessage:
      return frame.awaited->is_complete;
    case Waits::kLock:
    case Waits::kRegion:
      return false;
  }
  return true;
}

StartRule Process::rule_of(const SimulatedWorker& worker) const {
  const Frame& frame = worker.frames.back();
  const bool is_free = frame.waits == Waits::kBarrier || frame.task->task.is_untied();
  return {is_free ? nullptr : &frame.task->task, nullptr};
}

void Process::go_on(SimulatedWorker& worker) {
  if (worker.frames.empty()) return;  // a thread without a region
  Frame& frame = worker.frames.back();
  if (!is_over(worker, frame)) return look(worker);
  if (frame.waits != Waits::kNot) end_wait(worker);
  advance(worker);
}

void Process::end_wait(SimulatedWorker& worker) {
  Frame& frame = worker.frames.back();
  if (frame.waits == Waits::kToCreateSerially) worker.policy.serial_creation.begin(&frame.task->task);
  if (frame.waits == Waits::kBarrier) ++passed_[static_cast<std::size_t>(worker.number)];
  if (frame.waits == Waits::kHelps || frame.waits == Waits::kToCreateSerially) --worker.inline_depth;
  if (frame.waits == Waits::kBarrier || frame.waits == Waits::kChildren || frame.waits == Waits::kDescendants)
    worker.policy.serial_creation.wait_ends(&frame.task->task);
  frame.task->waiter = nullptr;
  frame.waits = Waits::kNot;
}

void Process::wait(SimulatedWorker& worker, Waits waits) {
  const Cursor& bottom = worker.frames.back().cursors.front();
  if (bottom.is_range && bottom.at < bottom.end) hand_on_rest(worker);
  Frame& frame = worker.frames.back();
  frame.waits = waits;
  frame.task->waiter = &worker;
  worker.policy.serial_creation.wait_begins(&frame.task->task);
  look(worker);
}

void Process::look(SimulatedWorker& worker) {
  if (!returned_.empty() && may_execute(worker)) return spend(worker, poll(worker));
  if (find(worker)) return;
  Frame& frame = worker.frames.back();
  if (frame.waits == Waits::kHelps) {  // nothing is there: it goes on creating
    worker.policy.helps.was_in_vain();
    end_wait(worker);
    return spend(worker, costs_.take);
  }
  if (frame.waits == Waits::kToCreateSerially) return have_patience(worker);
  rest(worker);
}

// As the runtime's complete_children() (tasking/create.cpp): some children may wait for what the creator does
// later.
void Process::have_patience(SimulatedWorker& worker) {
  constexpr double kBetweenLooksNs = 1e3;
  Frame& frame = worker.frames.back();
  const Time now = SimulatedClock::present;
  if (frame.idle_until == 0) frame.idle_until = now + from_ns(limits::kPatienceUs * 1e3);
  if (now < frame.until && now < frame.idle_until) return plan(worker, from_ns(kBetweenLooksNs));
  worker.policy.serial_creation.postpone();
  --worker.inline_depth;
  frame.task->waiter = nullptr;
  frame.waits = Waits::kNot;
  plan(worker, 0);
}

bool Process::find(SimulatedWorker& worker, Reach reach) {
  if (!may_execute(worker)) return false;
  const StartRule rule = rule_of(worker);
  const RuntimeRules::Found found = rules_->take(worker, rule, size_, reach);
  double cost = found.cost;
  outcome_.stolen += found.was_stolen ? 1 : 0;
  if (found.leaves_some) cost += rouse_one(worker.number + 1);  // it has searched: hands on
  if (found.overflowed)
    for (auto& other : workers_)
      if (other->number < size_ && may_execute(*other)) cost += rouse(*other);
  if (found.may_have_missed && found.task == nullptr) {
    // All that spin look at once: who may take anything does.
    rouse_first(0, [this](const SimulatedWorker& other) { return rule_of(other).constraint == nullptr; });
    agenda_.plan(
        SimulatedClock::present + from_ns(std::min(costs_.spin, kLooksInVainNs)),
        {Event::What::kLook, number_, worker.number, static_cast<std::uint64_t>(SimulatedClock::present)});
  }
  if (found.task == nullptr) return false;
  if (worker.frames.back().waits == Waits::kHelps) worker.policy.helps.was_of_use();
  worker.frames.back().idle_until = 0;
  begin(worker, SimulatedTask::of(*found.task), false);
  spend(worker, cost);
  return true;
}

void Process::begin(SimulatedWorker& worker, SimulatedTask& task, bool is_inline) {
  task.worker = worker.number;
  task.task.owner.store(static_cast<std::uint16_t>(worker.number));
  if (task.part.script == nullptr) rules_->begins(worker, task.task);
  const Cursor cursor = task.part.script != nullptr ? cursor_of(task.part) : Cursor{&task.text->script};
  worker.frames.push_back({&task, {cursor}, Waits::kNot, 0, 0, is_inline, SimulatedClock::present});
  if (task.part.script == nullptr)
    worker.frames.back().slowdown = homes_.slowdown(task.text->dependences, worker.number);
}

void Process::advance(SimulatedWorker& worker) {
  for (;;) {
    Frame& frame = worker.frames.back();
    Cursor& cursor = frame.cursors.back();
    if (cursor.is_taskloop && cursor.end - cursor.at > rules_->most_in_taskloop(size_)) return halve(worker);
    if (cursor.is_range && run_range(worker)) return;
    if (cursor.at == cursor.end) {
      if (cursor.again > 0) {
        --cursor.again;
        cursor.at = 0;
        continue;
      }
      const bool was_nested = frame.cursors.size() > 1;
      frame.cursors.pop_back();
      if (was_nested) continue;
      return end(worker);
    }
    const Step step = (*cursor.script)[cursor.at++];
    if (execute(worker, step)) return;
  }
}

bool Process::execute(SimulatedWorker& worker, Step step) {
  Frame& frame = worker.frames.back();
  const Cursor here = frame.cursors.back();
  const auto index = static_cast<std::size_t>(step.value);
  switch (step.op) {
    case Op::kWork:
      if (step.value == 0) return false;
      compute(worker, static_cast<double>(step.value) * frame.slowdown);
      return true;
    case Op::kCreate:
      create(worker, text_.tasks[index]);
      return true;
    case Op::kTaskloop:
      return begin_taskloop(worker, text_.taskloops[index],
                            here.at < here.end && (*here.script)[here.at].op == Op::kGroupEnd);
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
      const auto& list = text_.pieces[index];
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
      worker.frames.back().cursors.push_back({&text_.scripts[index], 0, here.thread, here.threads});
      return false;
    }
    case Op::kLoop:
      return loop(worker, text_.loops[index], step.value, here);
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
    case Op::kRepeat: {
      const RepeatText& repeat = text_.repeats[index];
      frame.cursors.push_back({&repeat.script, 0, here.thread, here.threads, repeat.times - 1});
      return false;
    }
    case Op::kPost:
      posted_[index] = std::make_shared<Posting>(static_cast<MessageOwner&>(*this));
      posted_[index]->worker = worker.number;
      posted_[index]->posted_at = SimulatedClock::present;
      messages_.post(number_, text_.messages[index], posted_[index]);
      return false;
    case Op::kAwait:
      await(worker, posted_[index]);
      return true;
    case Op::kBind:
      if (posted_[index]->is_complete) return false;
      posted_[index]->bound = frame.task;
      ++frame.task->messages;
      return false;
    case Op::kRegion:
      open(worker, text_.regions[index]);
      return true;
  }
  return false;
}

bool Process::loop(SimulatedWorker& worker, const LoopText& text, std::int64_t number, const Cursor& here) {
  if (text.schedule == Schedule::kStatic || here.threads == 1) {
    const double takes = homes_.time_of(text, static_share(text, here.thread, here.threads), worker.number);
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
  const double takes = homes_.time_of(text, share, worker.number);
  const Time begin = SimulatedClock::present + from_ns(overhead);
  worker.times.overhead += overhead;
  worker.times.work += takes;
  note(worker, SimulatedClock::present, begin, true);
  note(worker, begin, begin + from_ns(takes), false);
  plan(worker, from_ns(overhead + takes));
  return true;
}

}  // namespace heddle::simulate
