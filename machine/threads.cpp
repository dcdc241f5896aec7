#include "threads.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstdlib>

#include "real.hpp"

namespace heddle::machine {
namespace {

// What a parked thread may need below its frame, a signal's frame among it.
constexpr std::size_t kGap = 16 * 1024;
constexpr std::size_t kIdleStack = 64 * 1024;

Threads* g_threads = nullptr;  // the machine's: for a context that begins

}  // namespace

Threads::Threads(const Description& machine)
    : machine_(machine),
      processors_(static_cast<std::size_t>(machine.processors)),
      idle_stack_(std::make_unique<std::byte[]>(kIdleStack)) {
  g_threads = this;
  make_context(idle_, &idle_stack_[kIdleStack - 64], wait_for_threads_at_home);
  threads_.push_back(std::make_unique<Thread>());
  current_ = threads_.back().get();
  current_->native_id = getpid();
  current_->handle = pthread_self();
  current_->context.thread_pointer = thread_pointer();
  for (int number = 0; number < machine.processors; ++number)
    current_->allowed.set(static_cast<std::size_t>(number));
  processors_[0].running = current_;
  horizon_ = LLONG_MAX;
}

Time Threads::latest() const {
  return std::ranges::max_element(processors_, {}, &Processor::clock)->clock;
}

void Threads::yield() {
  Processor& mine = processor();
  if (!mine.waiting.empty()) {
    mine.waiting.push_back(current_);
    run_next(mine);
  }
  hand_over();
}

bool Threads::block(const void* awaited, std::uint32_t bits, Time deadline) {
  Thread& thread = *current_;
  thread.awaited = awaited;
  thread.bits = bits;
  thread.deadline = deadline;
  blocked_.push_back(&thread);
  if (deadline != 0) deadlines_.emplace(deadline, thread.number);
  run_next(processor());
  hand_over();
  return thread.was_woken;
}

int Threads::wake(const void* awaited, std::uint32_t bits, int count) {
  int woken = 0;
  for (std::size_t i = 0; i < blocked_.size() && woken < count;) {
    Thread& thread = *blocked_[i];
    if (thread.awaited != awaited || (thread.bits & bits) == 0) {
      ++i;
      continue;
    }
    ++woken;
    unblock(thread, now(), true);  // takes it out of the list
  }
  return woken;
}

void Threads::unblock(Thread& thread, Time at, bool was_woken) {
  std::erase(blocked_, &thread);
  if (thread.deadline != 0) deadlines_.erase({thread.deadline, thread.number});
  thread.awaited = nullptr;
  thread.was_woken = was_woken;
  place(thread, at + machine_.wake);
}

Thread& Threads::create() {
  threads_.push_back(std::make_unique<Thread>());
  Thread& thread = *threads_.back();
  thread.number = size() - 1;
  thread.processor = current_->processor;
  thread.allowed = current_->allowed;
  place(thread, now() + machine_.wake);
  return thread;
}

void Threads::discard(Thread& thread) {
  Processor& on = processors_[static_cast<std::size_t>(thread.processor)];
  std::erase(on.waiting, &thread);
  if (on.running == &thread) run_next(on);
  thread.has_ended = true;
}

void Threads::execute(Thread& thread, void (*function)(void*), void* argument) {
  thread.native_id = real().syscall(SYS_gettid);
  thread.function = function;
  thread.argument = argument;
  make_context(thread.context, static_cast<std::byte*>(__builtin_frame_address(0)) - kGap, begin);
  thread.is_there.give();
  thread.at_home.wait();
}

void Threads::begin(boost::context::detail::transfer_t from) {
  arrive(from);
  Threads& threads = *g_threads;
  threads.current().function(threads.current().argument);
  threads.go_home();
}

void Threads::go_home() {
  current_->context.is_at_home = true;
  switch_context(current_->context, idle_);
  __builtin_unreachable();
}

void Threads::wait_for_threads_at_home(boost::context::detail::transfer_t from) {
  arrive(from);
  Threads& threads = *g_threads;
  for (;;) {
    threads.current().at_home.give();
    threads.carriers_.wait();
    switch_context(threads.idle_, threads.current().context);
  }
}

void Threads::end() {
  current_->has_ended = true;
  wake(current_, ~0u, INT_MAX);  // who joins it
  run_next(processor());
  give_turn(behind_all());
}

void Threads::bind(const ProcessorSet& allowed) {
  current_->allowed = allowed;
  if (allowed[static_cast<std::size_t>(current_->processor)]) return;
  const Time from = now() + machine_.exchange;
  run_next(processor());
  place(*current_, from);
  hand_over();
}

void Threads::interrupt_others() {
  for (Processor& each : processors_)
    if (each.running != nullptr && each.running != current_) each.clock += machine_.call;
}

void Threads::forget_others() {
  blocked_.clear();
  deadlines_.clear();
  for (Processor& each : processors_) {
    each.waiting.clear();
    if (each.running != current_) each.running = nullptr;
  }
  current_->native_id = getpid();
  current_->context.is_at_home = false;  // it is the carrier's from now on
  horizon_ = LLONG_MAX;
}

Thread* Threads::find(long native_id) {
  if (native_id == 0) return current_;
  const auto found = std::ranges::find_if(
      threads_, [=](const auto& thread) { return thread->native_id == native_id && !thread->has_ended; });
  return found != threads_.end() ? found->get() : nullptr;
}

Thread* Threads::find_by_handle(pthread_t handle) {
  for (auto thread = threads_.rbegin(); thread != threads_.rend(); ++thread)
    if (pthread_equal((*thread)->handle, handle) != 0) return thread->get();
  return nullptr;
}

// Where it was, if nobody is there; else on an idle processor; else where fewest wait.
void Threads::place(Thread& thread, Time from) {
  const auto load = [&](int number) {
    const Processor& candidate = processors_[static_cast<std::size_t>(number)];
    return candidate.waiting.size() + (candidate.running != nullptr ? 1 : 0);
  };
  int best = -1;
  if (thread.allowed[static_cast<std::size_t>(thread.processor)]) best = thread.processor;
  for (int number = 0; number < machine_.processors; ++number)
    if (thread.allowed[static_cast<std::size_t>(number)] && (best < 0 || load(number) < load(best)))
      best = number;
  thread.processor = best;
  Processor& on = processors_[static_cast<std::size_t>(best)];
  if (on.running != nullptr) {
    on.waiting.push_back(&thread);
    if (on.running == current_) horizon_ = std::min(horizon_, on.slice_end);
    return;
  }
  on.running = &thread;
  on.clock = std::max(on.clock, from);
  on.slice_end = on.clock + machine_.slice;
  // It may be the next whom the current thread has to let catch up.
  horizon_ = std::min(horizon_, on.clock);
}

void Threads::run_next(Processor& on) {
  on.running = nullptr;
  if (on.waiting.empty()) take_from_others(on);
  if (on.waiting.empty()) return;
  on.running = on.waiting.front();
  on.waiting.pop_front();
  on.clock += machine_.exchange;
  on.slice_end = on.clock + machine_.slice;
}

// As kernels do for a processor that has nothing to do.
void Threads::take_from_others(Processor& on) {
  const auto number = static_cast<std::size_t>(&on - processors_.data());
  for (Processor& other : processors_) {
    const auto found =
        std::ranges::find_if(other.waiting, [=](Thread* thread) { return thread->allowed[number]; });
    if (found == other.waiting.end()) continue;
    (*found)->processor = static_cast<int>(number);
    on.waiting.push_back(*found);
    on.clock = std::max(on.clock, other.clock);
    other.waiting.erase(found);
    return;
  }
}

Thread& Threads::behind_all() {
  for (;;) {
    Processor* least = nullptr;
    for (Processor& each : processors_)
      if (each.running != nullptr && (least == nullptr || each.clock < least->clock)) least = &each;
    if (!deadlines_.empty() && (least == nullptr || deadlines_.begin()->first <= least->clock)) {
      const auto [time, number] = *deadlines_.begin();
      unblock(*threads_[static_cast<std::size_t>(number)], time, false);
      continue;
    }
    if (least == nullptr) {
      std::fprintf(
          stderr, "heddle: every thread of the program sleeps, and none is left to wake another: it hangs\n");
      std::_Exit(3);
    }
    return *least->running;
  }
}

void Threads::hand_over() {
  Thread& me = *current_;
  Processor& mine = processor();
  if (mine.running == &me && !mine.waiting.empty() && mine.clock >= mine.slice_end) {
    mine.waiting.push_back(&me);
    run_next(mine);
  }
  Thread& next = behind_all();
  if (&next == &me) {
    set_horizon();
    return;
  }
  give_turn(next);
}

// Returns when the thread that calls has its turn again.
void Threads::give_turn(Thread& to) {
  Thread& me = *current_;
  current_ = &to;
  set_horizon();
  if (!me.context.is_at_home) {
    switch_context(me.context, to.context.is_at_home ? idle_ : to.context);
    return;
  }
  (to.context.is_at_home ? to.at_home : carriers_).give();
  if (!me.has_ended) me.at_home.wait();
}

void Threads::set_horizon() {
  // What another processor does is seen here no sooner than a transfer takes: half of that may be
  // anticipated.
  Time least = LLONG_MAX / 2;
  for (const Processor& each : processors_)
    if (each.running != nullptr && each.running != current_) least = std::min(least, each.clock);
  if (!deadlines_.empty()) least = std::min(least, deadlines_.begin()->first);
  horizon_ = least + machine_.access[static_cast<std::size_t>(Distance::kNear)] / 2;
  if (!processor().waiting.empty()) horizon_ = std::min(horizon_, processor().slice_end);
}

}  // namespace heddle::machine
