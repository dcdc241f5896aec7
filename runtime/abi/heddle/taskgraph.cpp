// heddle.h: taskgraph regions.
#include "replay/taskgraph.hpp"

#include "abi/export.hpp"
#include "heddle.h"
#include "sys/fatal.hpp"

using namespace heddle;

// The program's handle is the construct.
static_assert(sizeof(GraphConstruct) == sizeof(heddle_taskgraph_t) &&
              alignof(GraphConstruct) == alignof(heddle_taskgraph_t));

HEDDLE_EXPORT int heddle_taskgraph_begin(heddle_taskgraph_t* construct,
                                         const heddle_taskgraph_clauses_t* clauses, const void* frame) {
  TaskgraphClauses wanted;
  wanted.where = __builtin_return_address(0);
  wanted.frame = frame != nullptr ? frame : __builtin_frame_address(0);
  if (clauses != nullptr) {
    wanted.id = clauses->graph_id;
    wanted.resets = clauses->graph_reset != 0;
    wanted.nogroup = clauses->nogroup != 0;
    wanted.if_clause = clauses->if_false == 0;
    wanted.copies_are_bytes = clauses->captures_bytes != 0;
  }
  return enter_taskgraph(this_member(), *reinterpret_cast<GraphConstruct*>(construct), wanted) ? 1 : 0;
}

HEDDLE_EXPORT void heddle_next_task_replayable(int is_replayable) {
  leave_out_next_task(this_member(), is_replayable == 0);
}

HEDDLE_EXPORT void heddle_taskgraph_end() {
  Member& me = this_member();
  if (me.context.taskgraph == nullptr || me.context.taskgraph->task != me.context.task)
    fatal("heddle_taskgraph_end(): no region is open; call it where heddle_taskgraph_begin() gave 1");
  leave_taskgraph(me);
}
