// HEDDLE_CHECK=graph: says where a region differs from its record, which a replay would not notice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "graph/task_log.hpp"
#include "replay/graph_table.hpp"
#include "sys/backtrace.hpp"

namespace heddle {

// A record is right only if the region creates the same tasks with the same data each time, or says
// graph_reset where it does not (OpenMP 6.0, section 14.3). Here both are logs, and are compared task by
// task.

struct RecordDifference {
  enum class What : std::uint8_t {
    kCount,        // one has more tasks and waits than the other
    kConstruct,    // another construct, or other clauses
    kDependences,  // other dependences
    kData,         // the task captures other values
    kRefused,      // it does what cannot be recorded; compare_records() never says so
  };

  What what = What::kCount;
  std::size_t task = 0;  // the first that differs, tasks and waits counted from 0; of kCount: how many now
  // Of the task's body, as it is now and as it was. Null for a wait.
  const void* code = nullptr;
  const void* recorded_code = nullptr;
  // Of kData: where in what the task captures the word lies, and which of its bytes differ, the first one
  // lowest. A word's value is that number which has its bytes in memory.
  std::size_t offset = 0;
  std::size_t captured_bytes = 0, header_bytes = 0;  // all that it captures; header_bytes: see TaskBody
  std::uint8_t bytes = 0;
  // Of kData: the word. Of kCount: how many tasks and waits. Of kDependences: how many dependences.
  std::uint64_t was = 0, is = 0;
};

/// found() for each difference, in the order of the tasks: of one task its construct, or else its dependences
/// and each word of its data; at the end the count. What may lie elsewhere and mean the same is equal:
/// pointers into the captured data themselves, and events. What lies between variables is compared as well,
/// since nothing here says where they are. relocates: what tasks share is found anew in each execution, so
/// that data may differ, and addresses of dependences: of these it is compared which are the same.
void compare_records(const TaskLog& recorded, const TaskLog& now, bool relocates,
                     const std::function<void(const RecordDifference&)>& found);

// Where executions of taskgraph regions differ from their records, counted, and written to a file for tools:
// what 'heddle check' reads.
//
// clang-format off
// Lines, after the first, which is "heddle check 1":
//   c N ADDRESS SYMBOL FILE        code N, as an address within its file
//   d NUMBER GRAPH_ID REGION CODE RECORDED WHAT OFFSET CAPTURED HEADER BYTES EXECUTION TASK WAS IS
//                                  a difference when it is met first: of the region that is met at code REGION, in
//                                  a task whose body is CODE and was RECORDED (-1: none). WHAT is n (count), c
//                                  (construct), d (dependences), v (a value) or r (refused); the others are
//                                  RecordDifference's, the last two in hexadecimal digits
//   t NUMBER EXECUTIONS TASKS      in how many executions and tasks it was met
//   s GRAPH_ID REGION COMPARED     how many executions of the region were compared
// clang-format on
//
// t and s are written when the program ends; s also when a region is compared first, so that a program that
// is killed leaves a log. Of several with the same numbers the largest counts.
//
// Words: a *difference* is of one region, code and kind, and of values: of the same bytes of one word.
// However many tasks and executions have it, it is one; so the log stays short.

/// Threads: one at a time.
class CheckLog {
 public:
  /// A construct's place in the program, and a graph_id.
  using Region = std::pair<const void*, std::uint64_t>;

  /// file: empty for none. Errors: a warning where it cannot be written; then nothing is.
  explicit CheckLog(const std::string& file);
  ~CheckLog();
  CheckLog(const CheckLog&) = delete;
  CheckLog& operator=(const CheckLog&) = delete;

  /// Another execution of the region is compared; what is added next was found in it.
  void begin(const Region& region);
  /// execution: its number since the region was recorded, which is 1. Returns whether the difference is new.
  bool add(const Region& region, const RecordDifference& found, std::uint64_t execution);
  /// Ensures: the file says how often everything was met so far.
  void write_counts();

  std::uint64_t executions() const { return executions_; }
  std::uint64_t executions_that_differ() const { return executions_that_differ_; }

 private:
  using Key = std::tuple<Region, RecordDifference::What, const void*, const void*, std::size_t, std::uint8_t>;
  struct Count {
    std::uint64_t number = 0, executions = 0, tasks = 0;
    std::uint64_t last = 0;  // the execution in which it was met last, counted over all regions from 1
  };

  void write_compared(const Region& region, std::uint64_t times);
  int number_of(const void* code) { return code != nullptr ? codes_.of(code, file_) : -1; }

  std::FILE* file_ = nullptr;
  CodeNumbers codes_;
  std::map<Key, Count> counts_;
  std::map<Region, std::uint64_t> compared_;
  std::uint64_t executions_ = 0, executions_that_differ_ = 0;
  bool differs_ = false;  // the execution that is compared
};

// What a region that ends does with both.

/// Compares what the region did in this execution with the slot's record, and tells of what differs: in
/// HEDDLE_CHECK_LOG where there is one, else on standard error, each kind of difference of a task's construct
/// once, and a summary when the program ends. now: null where the region did what cannot be recorded.
/// relocates: what tasks share is found anew each time, so their data may differ. Requires: the caller has
/// made the slot busy. Threads: any.
void check_record(GraphSlot& slot, const TaskLog* now, bool relocates);

}  // namespace heddle
