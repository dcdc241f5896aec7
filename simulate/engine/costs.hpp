// What a runtime's own work takes: measured on a machine by 'heddle calibrate'.
#pragma once

#include <string>

namespace heddle::simulate {

/// Units: ns. Each is time of the thread that does it, but for `notice` and `wake`.
struct Costs {
  double create = 60;          // to make a task and queue it
  double create_at_once = 10;  // to make one and begin it in its creator's place
  double dependence = 25;      // for each dependence of a task that is created
  double take = 15;            // to take a task from the thread's own queue
  double steal = 150;          // from another's: where something is found
  double complete = 15;        // to end a task
  double release = 15;         // for each task that waited for it
  double wait = 10;            // for a taskwait that need not wait
  double line = 60;            // for a cache line that another thread wrote: threads queue for it
  double notice = 150;         // until a thread that spins sees what it waits for
  double wake = 50'000;        // until a thread that sleeps goes on
  double wake_call = 2'000;    // for who wakes it
  double spin = 10'000'000;    // how long threads spin before they sleep
  double fork = 300;           // to open a region
  double chunk = 20;           // to get a chunk of a dynamic loop, beside its line
};

/// Those of a file's object "heddle". Errors: throws UserError where it cannot be read or a cost is missing.
Costs read_costs(const std::string& path);

}  // namespace heddle::simulate
