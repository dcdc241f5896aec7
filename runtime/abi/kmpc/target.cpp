// target regions on the host: Clang's entry points, and what its library for devices asks of a runtime.
#include "abi/kmpc/task.hpp"
#include "icv/settings.hpp"
#include "team/team.hpp"

using namespace heddle;
using namespace heddle::kmpc;

// nowait and depend make a task of the region. The device is the host.
HEDDLE_EXPORT TaskView* __kmpc_omp_target_task_alloc(Ident*, Gtid, std::int32_t flags, std::size_t view_bytes,
                                                     std::size_t shareds_bytes,
                                                     std::int32_t (*routine)(Gtid, TaskView*),
                                                     std::int64_t /*device*/) {
  return new_compiled_task(this_member(), flags, {view_bytes, shareds_bytes}, routine);
}

// thread_limit: Clang wraps such a target construct into a task of its own, with whose end the limit goes.
HEDDLE_EXPORT void __kmpc_set_thread_limit(Ident*, Gtid, std::int32_t limit) {
  if (limit > 0) change_environment(this_member(), [&](DataEnvironment& e) { e.thread_limit = limit; });
}

HEDDLE_EXPORT std::int32_t __kmpc_get_target_offload() {
  return static_cast<std::int32_t>(settings().target_offload);  // 0 disabled, 1 default, 2 mandatory
}

// Null and false: a task's offloaded work ends before the task does, so there is no handle to come back to.
HEDDLE_EXPORT void* __kmpc_omp_get_target_async_handle_ptr(Gtid) {
  return nullptr;
}
HEDDLE_EXPORT bool __kmpc_omp_has_task_team(Gtid) {
  return false;
}

// Executes the body of the region that the calling thread is in.
HEDDLE_EXPORT std::int32_t __kmpc_invoke_task_func(Gtid) {
  Member& me = this_member();
  if (const RegionStart& start = me.team->start; start.code.execute != nullptr)
    start.code.execute(me, start.code);
  return 1;
}
