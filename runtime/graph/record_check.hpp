// What a region would do now, held against what it has recorded: HEDDLE_CHECK=graph.
//
// A record is right only if the region creates the same tasks with the same data each time, or says
// graph_reset where it does not (OpenMP 6.0, section 14.3). Here both are notes, and are compared task by
// task.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/notes.hpp"

namespace heddle {

struct RecordDifference {
  enum class What : std::uint8_t {
    kCount,        // one has more tasks and waits than the other
    kConstruct,    // another construct, or other clauses
    kDependences,  // other dependences
    kData,         // the task captures other values
  };

  What what = What::kCount;
  std::size_t task = 0;  // the first that differs, tasks and waits counted from 0; of kCount: how many now
  std::size_t recorded = 0;    // of kCount: how many are recorded
  const void* code = nullptr;  // of the task's body, as it is now
  // Of kData: which bytes of what it captures, up to eight that follow one another, and their values as a
  // number.
  std::size_t first_byte = 0, last_byte = 0;
  std::uint64_t was = 0, is = 0;
};

/// The first `most` differences. Of one task: construct, or dependences, or each word of its data.
/// What may lie elsewhere and mean the same is equal: pointers into the captured data themselves, and events.
/// compares_data: false where values of shared variables are found anew, so that data may differ.
std::vector<RecordDifference> compare_records(const Notes& recorded, const Notes& now, bool compares_data,
                                              std::size_t most);

}  // namespace heddle
