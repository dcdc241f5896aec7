// What a program wants of the next explicit task that a thread creates, where the construct has no clause for
// it.
#pragma once

#include "task/task.hpp"
#include "team/team.hpp"

namespace heddle {

/// The member requests something, on top of what it has requested already.
void request(Member& me, const TaskRequest& more);
/// The same of a transparent task (tasking/transparent.hpp).
void request_transparent(Member& me, const Transparency& more);

/// Gives a task that is about to be submitted what the member requested, and forgets the request.
void apply_request(Member& me, Task& task);

/// While this exists, the member has no request: it creates a task that is not the one which the program
/// means.
class RequestAside {
 public:
  explicit RequestAside(Member& me);
  ~RequestAside();
  RequestAside(const RequestAside&) = delete;
  RequestAside& operator=(const RequestAside&) = delete;

 private:
  Member& me_;
  TaskRequest task_;
  Transparency transparency_;
};

}  // namespace heddle
