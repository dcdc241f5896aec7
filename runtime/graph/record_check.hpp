// What a region would do now, held against what it has recorded: HEDDLE_CHECK=graph.
//
// A record is right only if the region creates the same tasks with the same data each time, or says
// graph_reset where it does not (OpenMP 6.0, section 14.3). Here both are task_log, and are compared task by
// task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "graph/task_log.hpp"

namespace heddle {

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

}  // namespace heddle
