// The order in which tasks were executed, written to a file as it happens: a program that crashes or hangs
// leaves what it did until then.
//
// Lines, after the first, which is "heddle order 1":
//   c N ADDRESS SYMBOL FILE   code N: where the compiler put a task's body, as an address within its file
//   s ITEM N THREAD [!]       a task starts, or an untied one's next part; !: by its creator, at its creation
//   u NAME N THREAD           an undeferred task starts; it has no choice
//   g ITEM THREAD [NAME]      a task goes on behind one of its points: the creation of the task of that name
//   e NAME THREAD             a task's body has ended
// ITEM and NAME: see order_policy.hpp and task_names.hpp; THREAD is the member's number in its team.
//
// Threads: the caller's lock guards it, and so makes the order of the lines one that was.
#pragma once

#include <cstdio>
#include <string>

#include "sys/code_place.hpp"

namespace heddle {

class OrderLog {
 public:
  /// Errors: a warning where the file cannot be written; then nothing is.
  explicit OrderLog(const std::string& file);
  ~OrderLog();
  OrderLog(const OrderLog&) = delete;
  OrderLog& operator=(const OrderLog&) = delete;

  void starts(const std::string& item, const void* code, int thread, bool is_at_creation);
  void starts_undeferred(const std::string& name, const void* code, int thread);
  /// created: empty at other points.
  void goes_on(const std::string& item, int thread, const std::string& created);
  void ends(const std::string& name, int thread);

 private:
  std::FILE* file_;
  CodeNumbers codes_;
};

}  // namespace heddle
