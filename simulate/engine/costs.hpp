// What a runtime's own work takes: measured on a machine by 'heddle calibrate'.
#pragma once

#include <string>

namespace heddle::simulate {

/// Between processes. Units: ns, unless it says otherwise.
struct MessageCosts {
  double start;        // to start a send, for generated programs: traced ones say it themselves
  double receive;      // of a thread that stands in MPI, from the message's end until it goes on
  double latency;      // of an empty message within a node
  double byte;         // for each byte of one
  double eager_limit;  // bytes that leave before anybody receives them
};

/// Units: ns. Each is time of the thread that does it, but for `notice` and `wake`.
struct Costs {
  double create;          // to make a task and queue it
  double create_inline;   // to make one and begin it in its creator's place
  double dependence;      // for each dependence of a task that is created
  double take;            // to take a task from the thread's own queue
  double steal;           // from another's: where something is found
  double complete;        // to end a task
  double release;         // for each task that waited for it
  double wait;            // for a taskwait that need not wait
  double line;            // for a cache line that another thread wrote: threads queue for it
  double notice;          // until a thread that spins sees what it waits for
  double wake;            // until a thread that sleeps goes on
  double wake_call;       // for who wakes it
  double spin;            // how long threads spin before they sleep
  double fork;            // to open a region
  double chunk;           // to get a chunk of a dynamic loop, beside its line
  double taskloop_chunk;  // for a chunk of a taskloop in a range
  double lock;            // to get a queue's lock, and what it guards, from another thread
  MessageCosts messages;
};

/// Those of a file's objects "messages" and `runtime`. Errors: throws UserError where it cannot be read or a
/// cost is missing.
Costs read_costs(const std::string& path, const std::string& runtime);

}  // namespace heddle::simulate
