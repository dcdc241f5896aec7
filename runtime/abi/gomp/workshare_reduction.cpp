#include "abi/gomp/workshare_reduction.hpp"

#include <cstdlib>
#include <vector>

#include "abi/gomp/iterations.hpp"
#include "abi/gomp/task_reduction.hpp"
#include "loop/doacross.hpp"
#include "region/fork_join.hpp"
#include "sys/fatal.hpp"
#include "tasking/wait.hpp"

namespace heddle::gomp {
namespace {

struct Shared {
  std::vector<void*> copies;  // empty without reductions
  void* memory = nullptr;
};

struct Request {
  Member& me;
  std::uintptr_t* reductions;
  std::size_t bytes;
};

void* make(void* argument) {
  const Request& request = *static_cast<Request*>(argument);
  auto* shared = new Shared;
  if (request.reductions != nullptr)
    shared->copies = allocate_copies(request.reductions, request.me.team->size);
  if (request.bytes != 0) {
    shared->memory = std::calloc(1, request.bytes);
    if (shared->memory == nullptr) fatal("no memory left for %zu bytes that a loop shares", request.bytes);
  }
  return shared;
}

void dispose(void* argument) {
  auto* shared = static_cast<Shared*>(argument);
  for (void* block : shared->copies) std::free(block);
  std::free(shared->memory);
  delete shared;
}

void leave_companion(Member& me) {
  if (me.loop.companion == nullptr) return;
  Workshare& companion = *me.loop.companion;
  me.loop.companion = nullptr;
  workshare_leave(me, companion);
}

bool shares_reductions(const Member& me) {
  return me.loop.companion != nullptr && !static_cast<Shared*>(me.loop.companion->shared)->copies.empty();
}

}  // namespace

void share_with_team(std::uintptr_t* reductions, void** memory) {
  const std::size_t bytes = memory != nullptr ? reinterpret_cast<std::size_t>(*memory) : 0;
  if (reductions == nullptr && bytes == 0) return;
  Member& me = this_member();
  Request request{me, reductions, bytes};
  me.loop.companion = &workshare_enter(me, make, &request, dispose);
  const Shared& shared = *static_cast<Shared*>(me.loop.companion->shared);
  if (reductions != nullptr) {
    if (has_tool()) [[unlikely]]
      tell_taskgroup_begins(me, {});
    taskgroup_begin_of_construct(me);
    place_copies(reductions, shared.copies, me.team->size);
    register_placed(me, reductions);
  }
  if (bytes != 0) *memory = shared.memory;
}

void leave_loop(Member& me) {
  loop_leave(me);
  doacross_leave(me);
  // Copies of reductions are still to be combined; their construct ends with an entry point of its own.
  if (!shares_reductions(me)) leave_companion(me);
}

}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_EXPORT bool GOMP_loop_start(long start, long end, long step, long schedule, long chunk, long* first,
                                   long* last, std::uintptr_t* reductions, void** memory) {
  share_with_team(reductions, memory);
  if (first == nullptr) return true;  // a static schedule, which the program computes itself
  return start_signed(decode_schedule(schedule, static_cast<std::uint64_t>(chunk)), start, end, step, first,
                      last, HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT bool GOMP_loop_ull_start(bool up, Ull start, Ull end, Ull step, long schedule, Ull chunk,
                                       Ull* first, Ull* last, std::uintptr_t* reductions, void** memory) {
  share_with_team(reductions, memory);
  if (first == nullptr) return true;
  return start_unsigned(decode_schedule(schedule, chunk), up, start, end, step, first, last,
                        HEDDLE_CALL_SITE());
}

HEDDLE_EXPORT void GOMP_scope_start(std::uintptr_t* reductions) {
  share_with_team(reductions, nullptr);
}

// The end of a construct with reduction(task, …): one thread has combined the copies.
HEDDLE_EXPORT void GOMP_workshare_task_reduction_unregister(bool is_cancelled) {
  Member& me = this_member();
  {
    const ToolSync told(me, ompt_sync_region_taskgroup, HEDDLE_CALL_SITE());
    taskgroup_end(me);
  }
  leave_companion(me);
  if (is_cancelled) return;
  const ToolSync told(me, ompt_sync_region_barrier_implementation, HEDDLE_CALL_SITE());
  barrier(me);
}

HEDDLE_EXPORT unsigned GOMP_parallel_reductions(Function fn, void* data, unsigned threads, unsigned flags) {
  request_binding(flags);
  struct Call {
    Function fn;
    void* data;
    std::uintptr_t* reductions;
    unsigned team_size;
  } call{fn, data, *static_cast<std::uintptr_t**>(data), 1};
  const int size = threads_for(threads);
  place_copies(call.reductions, allocate_copies(call.reductions, size), size);
  parallel(
      size,
      [](Member& me, void* argument) {
        Call& c = *static_cast<Call*>(argument);
        if (me.number == 0) c.team_size = static_cast<unsigned>(me.team->size);
        if (has_tool()) [[unlikely]]
          tell_taskgroup_begins(me, {});
        taskgroup_begin_of_construct(me);
        me.context.task->group->reductions = c.reductions;
        c.fn(c.data);
        const ToolSync told(me, ompt_sync_region_taskgroup, {});
        taskgroup_end(me);
      },
      &call, with_request(HEDDLE_TOLD_REGION(), threads));
  return call.team_size;  // so many copies are to be combined; the program then frees them
}
