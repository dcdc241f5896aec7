// Record and replay as LLVM's experimental builds call it.
// Source: the calls in LLVM 19's runtime tests (openmp/runtime/test/tasking/omp_record_replay*.cpp).
#include "team/taskgraph.hpp"

#include <string>

#include "abi/kmpc/kmpc.hpp"
#include "graph/dot.hpp"
#include "sys/machine.hpp"
#include "team/settings/text.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

// The graphs have numbers and no construct.
constinit GraphConstruct g_numbered;

}  // namespace

/// Returns 1 where the caller is to create the region's tasks, 0 where they were executed already.
HEDDLE_EXPORT std::int32_t __kmpc_start_record_task(Ident*, Gtid, std::int32_t, std::int32_t number) {
  const TaskgraphClauses clauses{.id = static_cast<std::uint32_t>(number),
                                 .frame = __builtin_frame_address(0)};
  return enter_taskgraph(this_member(), g_numbered, clauses) ? 1 : 0;
}

/// Where KMP_TDG_DOT is true in the environment now, the record is drawn into tdg_NUMBER.dot, as LLVM's
/// runtime does.
HEDDLE_EXPORT void __kmpc_end_record_task(Ident*, Gtid, std::int32_t, std::int32_t number) {
  Member& me = this_member();
  if (!is_in_taskgraph(me, g_numbered, static_cast<std::uint32_t>(number))) return;
  const char* const draws = is_recording(me) ? heddle::environment("KMP_TDG_DOT") : nullptr;
  if (draws != nullptr && parse_bool(draws).value_or(false)) {
    const std::string name = std::to_string(number);
    write_dot(me.taskgraph->recording, "TDG_" + name, "tdg_" + name + ".dot");
  }
  leave_taskgraph(me);
}
