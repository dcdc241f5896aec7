// The program's threads on the simulated processors.
//
// One executes at a time: the one whose processor's clock is behind all others'. So what one does at an
// earlier time comes first, and no lock is needed here: whoever executes has the machine. A thread hands over
// where it calls the machine, and nowhere else. What it executes on: context.hpp.
#pragma once

#include <pthread.h>

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "context.hpp"
#include "description.hpp"

namespace heddle::machine {

using ProcessorSet = std::bitset<kMostProcessors>;

struct Thread {
  int number = 0;
  int processor = 0;
  ProcessorSet allowed;
  bool has_ended = false;

  // While it is blocked.
  const void* awaited = nullptr;  // the word, or whatever else another thread wakes it by
  std::uint32_t bits = 0;         // of the wake-ups that reach it
  Time deadline = 0;              // 0: none
  bool was_woken = false;         // in the end, rather than late

  Context context;
  Turn at_home;        // its own thread of the system executes it
  Turn is_there;       // that one has made the context
  long native_id = 0;  // of the real system, as is the handle
  pthread_t handle{};
  void (*function)(void*) = nullptr;  // what it executes, and that function's argument
  void* argument = nullptr;
};

class Threads {
 public:
  /// The calling thread becomes the first one, on processor 0.
  explicit Threads(const Description& machine);

  Thread& current() { return *current_; }
  Time now() const { return processor().clock; }
  /// The furthest that any processor is.
  Time latest() const;
  /// Time passes for the current thread.
  void spend(Time time) { processor().clock += time; }
  /// Lets threads that are behind the current one catch up.
  void let_others_catch_up() {
    if (now() > horizon_) hand_over();
  }
  /// The current thread lets another one have its processor, if one waits for it.
  void yield();

  /// The current thread sleeps until it is woken by `awaited`, or until `deadline`, if that is not 0.
  /// Returns whether it was woken. Errors: ends the program with status 3 where nobody is left who could wake
  /// it.
  bool block(const void* awaited, std::uint32_t bits, Time deadline);
  /// Wakes at most `count` threads that sleep there. Returns how many.
  int wake(const void* awaited, std::uint32_t bits, int count);

  /// A thread to be: it may execute from now on, on what the current one may use.
  Thread& create();
  /// It could not be started.
  void discard(Thread& thread);
  /// Called by its own thread of the system. function(argument) is executed in turn with the other threads,
  /// on this one's stack. Returns when that has returned, or has called go_home(); the thread then has its
  /// turn.
  void execute(Thread& thread, void (*function)(void*), void* argument);
  /// The current thread executes from now on what comes after execute(), and the frames below are left.
  [[noreturn]] void go_home();
  /// The last: the calling thread is simulated no longer.
  void end();
  /// The current thread may use these processors only, of which there is one at least.
  void bind(const ProcessorSet& allowed);
  /// Every other processor that executes something stops for a while.
  void interrupt_others();
  /// In the child of fork(): no other thread is left.
  void forget_others();

  /// By the real system's number; 0: the current one.
  Thread* find(long native_id);
  /// The last one that had this handle.
  Thread* find_by_handle(pthread_t handle);
  int size() const { return static_cast<int>(threads_.size()); }

 private:
  struct Processor {
    Time clock = 0;
    Thread* running = nullptr;
    std::deque<Thread*> waiting;
    Time slice_end = 0;
  };

  Processor& processor() { return processors_[static_cast<std::size_t>(current_->processor)]; }
  const Processor& processor() const { return processors_[static_cast<std::size_t>(current_->processor)]; }
  /// Puts a thread that may execute on a processor; `from`: when it could begin there.
  void place(Thread& thread, Time from);
  void run_next(Processor& on);
  void take_from_others(Processor& on);
  void unblock(Thread& thread, Time at, bool was_woken);
  Thread& behind_all();
  void hand_over();
  void give_turn(Thread& to);
  static void begin(boost::context::detail::transfer_t from);
  static void wait_for_threads_at_home(boost::context::detail::transfer_t from);
  void set_horizon();

  const Description& machine_;
  std::vector<Processor> processors_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::vector<Thread*> blocked_;              // in the order in which they came
  std::set<std::pair<Time, int>> deadlines_;  // and numbers of threads
  Thread* current_ = nullptr;
  // Where the carrier is while a thread at home executes, which may take away the stack it was on.
  Context idle_;
  std::unique_ptr<std::byte[]> idle_stack_;
  Turn carriers_;     // the current thread is not at home
  Time horizon_ = 0;  // how far the current thread may go before it hands over
};

}  // namespace heddle::machine
