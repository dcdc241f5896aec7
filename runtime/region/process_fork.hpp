// fork(): what the child process finds of its parent's teams.
//
// Words: the *child* has one thread, the one that forked; every other worker is *lost* to it.
// Ensures, in the child: outside parallel regions everything works, with new threads. Inside a region the
// thread is the only member left of each team around it: it passes barriers alone, and may open new regions.
// Tasks of the region that were not complete are lost to the child; it must not wait for them.
#pragma once

namespace heddle {

struct Member;
struct Team;
struct Worker;

/// Makes the teams around and under `worker` fit for a process in which it is alone.
/// Requires: called in the child, by the thread that forked.
void survive_fork(Worker& worker);

}  // namespace heddle
