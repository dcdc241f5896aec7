// What a program says of the next task that it creates, which its construct has no clause for.
#pragma once

namespace heddle {

struct Task;

/// What the program wants of the next task that a member creates.
struct TaskRequest {
  bool is_background = false;
  Task** handle = nullptr;  // where to put its handle

  bool is_empty() const { return !is_background && handle == nullptr; }
};

}  // namespace heddle
