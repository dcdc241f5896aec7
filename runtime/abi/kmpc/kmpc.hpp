// The types of LLVM's ABI that several files share. Source: the code Clang 19 generates.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/export.hpp"
#include "deps/access.hpp"
#include "region/barrier.hpp"
#include "region/fork_join.hpp"
#include "team/team.hpp"

namespace heddle::kmpc {

/// Where in the source. text: ";file;function;line;column;;".
struct Ident {
  std::int32_t reserved;
  std::int32_t flags;
  std::int32_t reserved_too[2];
  const char* text;
};

using Gtid = std::int32_t;

union TaskWord {
  std::int32_t priority;
  std::int32_t (*destructors)(Gtid, void*);
};

/// What the compiled code sees of a task: the privates follow.
struct TaskView {
  void* shareds;
  std::int32_t (*routine)(Gtid, TaskView*);
  std::int32_t part_id;
  TaskWord destructors;
  TaskWord priority;
};

struct DependInfo {
  std::intptr_t address;
  std::size_t bytes;
  std::uint8_t flags;  // 1 in, 2 out, 4 mutexinoutset, 8 inoutset, 0x80 omp_all_memory
};

/// Bits of the flags of __kmpc_omp_task_alloc.
enum TaskFlag : std::int32_t {
  kTied = 0x1,
  kFinal = 0x2,
  kDestructors = 0x8,
  kProxy = 0x10,  // completed by somebody who is no thread of the team
  kPriority = 0x20,
  kDetachable = 0x40,
  kFreeAgent = 0x80,  // threads outside the team may execute it: none here do
  kTransparent = 0x100,
};

inline Gtid gtid_of(const Member& me) {
  return me.worker->id;
}

/// The task of ours that a compiled task lives in.
inline Task& task_of(TaskView* view) {
  return *Task::from_payload(view);
}

/// Tells reports where the code of a task stands (report/report_places.hpp).
void name_bodies();

}  // namespace heddle::kmpc
