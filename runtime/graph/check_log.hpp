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
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "graph/record_check.hpp"
#include "sys/backtrace.hpp"

namespace heddle {

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

}  // namespace heddle
