// The machine of this process, and what happens when its code reads, writes, computes or calls the system.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cache_lines.hpp"
#include "description.hpp"
#include "store_buffer.hpp"
#include "threads.hpp"
#include "transfers.hpp"

namespace heddle::machine {

enum class Access {
  kRead,
  kWrite,   // goes through the store buffer: the processor does not wait for the line
  kAtomic,  // reads and writes at once: the processor waits for the line, and for its stores before
};

class Machine {
 public:
  explicit Machine(const Description& description);

  /// The current thread's next access. `place`: the return address that it is counted at.
  void access(Access kind, const void* address, std::size_t bytes, const void* place);
  /// It waits until what it has stored can be seen by all. Returns how long.
  Time fence();
  void pause() { threads_.spend(description_.pause); }
  void call() { threads_.spend(description_.call); }
  void compute(Time time);
  /// Interrupts every other running thread (membarrier).
  void interrupt_others();

  Threads& threads() { return threads_; }
  const Description& description() const { return description_; }

  /// What has been counted, as JSON.
  void report(std::FILE* file);

 private:
  struct Core {
    StoreBuffer stores;
    Time computed = 0;
    Time waited = 0;  // for lines
    std::int64_t accesses = 0;
  };
  Core& core() { return cores_[static_cast<std::size_t>(threads_.current().processor)]; }
  /// One line of it.
  void access_line(Access kind, std::uintptr_t address, const void* place);
  /// The processor waits for the line, or for its stores. Returns how long.
  Time wait_until(Time time);

  const Description description_;
  CacheLines lines_;
  Threads threads_;
  Transfers transfers_;
  std::vector<Core> cores_;
};

/// The current thread is about to call the machine, by an access or a call of the system.
///
/// Empty where the calling thread is not simulated, or where the machine's own code is already at work: the
/// C++ library's functions that it uses may be the program's copies of them, which are instrumented.
class Entry {
 public:
  Entry();
  ~Entry();
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;

  explicit operator bool() const { return machine_ != nullptr; }
  Machine* operator->() const { return machine_; }

 private:
  Machine* machine_;
};

/// The calling thread executes as `thread` from now on; null: as none.
void simulate_this_thread(Thread* thread);
/// Null before start() and at the process's end.
Machine* the_machine();

}  // namespace heddle::machine
