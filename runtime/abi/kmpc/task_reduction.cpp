// task_reduction, in_reduction and reduction(task, …) as Clang lowers them.
//
// Words: an *item* is one reduction variable; its private copies are made per thread, when first asked for.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "abi/kmpc/kmpc.hpp"
#include "abi/kmpc/task.hpp"
#include "base/cache_line.hpp"
#include "base/relaxed_atomic.hpp"
#include "replay/taskgraph.hpp"
#include "sys/fatal.hpp"
#include "tasking/wait.hpp"

using namespace heddle;
using namespace heddle::kmpc;

namespace {

// As the compiled code passes it.
struct ReductionInput {
  void* shared;
  void* original;  // of the enclosing reduction
  std::size_t bytes;
  void (*initialise)(void* copy, void* original);
  void (*finish)(void* copy);
  void (*combine)(void* into, void* from);
  std::uint32_t flags;
};

// The same from compilers before LLVM 10: one variable, and an initialiser that knows no original.
struct OldReductionInput {
  void* shared;
  std::size_t bytes;
  void (*initialise)(void* copy);
  void (*finish)(void* copy);
  void (*combine)(void* into, void* from);
  std::uint32_t flags;
};

struct Item {
  ReductionInput input;
  std::unique_ptr<RelaxedAtomic<void*>[]> copies;  // by thread number; each written by its thread only
};

struct Reductions {
  int team_size;
  std::vector<Item> items;
  Reductions* outer;  // of the same group: the taskgroups of a replay are one
};

Reductions* install(Member& me, std::span<const ReductionInput> inputs) {
  TaskGroup& group = *me.context.task->group;
  auto* reductions = new Reductions{me.team->size, {}, static_cast<Reductions*>(group.reductions)};
  for (const ReductionInput& input : inputs)
    reductions->items.push_back(
        {input, std::make_unique<RelaxedAtomic<void*>[]>(static_cast<std::size_t>(me.team->size))});
  group.reductions = reductions;
  return reductions;
}

// In a record two nodes stand for a group's reductions: one that installs them, and one that combines. The
// region that is being recorded has its own taskgroup for them, so both only serve replays. Nothing runs
// beside them.
void record_setup(Member& me, RunNode run, std::span<const ReductionInput> inputs) {
  record_wait(me);
  TaskBody body;
  body.run = run;
  body.data = inputs.data();
  body.bytes = inputs.size_bytes();
  body.alignment = alignof(ReductionInput);
  body.code = reinterpret_cast<void*>(inputs.size());
  body.is_of_group = true;
  record_task(me, body, {}, Gate::kYes);
}

Reductions* install(Member& me, std::int32_t count, const ReductionInput* inputs) {
  const std::span<const ReductionInput> all(inputs, static_cast<std::size_t>(count));
  refuse_unmarked(me, "a taskgroup in it has reductions (not yet)");
  if (is_recording(me)) [[unlikely]] {
    record_setup(
        me,
        [](void* number, void* data) {
          install(this_member(),
                  std::span(static_cast<const ReductionInput*>(data), reinterpret_cast<std::size_t>(number)));
        },
        all);
  }
  return install(me, all);
}

// The old initialiser is called with one argument too many, which the calling convention allows.
Reductions* install_old(Member& me, std::int32_t count, const OldReductionInput* inputs) {
  std::vector<ReductionInput> converted;
  for (std::int32_t i = 0; i < count; ++i)
    converted.push_back(
        {inputs[i].shared, nullptr, inputs[i].bytes,
         reinterpret_cast<void (*)(void*, void*)>(reinterpret_cast<void*>(inputs[i].initialise)),
         inputs[i].finish, inputs[i].combine, inputs[i].flags});
  return install(me, count, converted.data());
}

void* copy_for(Member& me, Item& item) {
  RelaxedAtomic<void*>& slot = item.copies[static_cast<std::size_t>(me.number)];
  void* copy = slot.load();
  if (copy == nullptr) {
    copy = std::aligned_alloc(kCacheLine, (item.input.bytes + kCacheLine - 1) / kCacheLine * kCacheLine);
    if (copy == nullptr) fatal("no memory left for a task reduction of %zu bytes", item.input.bytes);
    if (item.input.initialise != nullptr)
      item.input.initialise(copy, item.input.original != nullptr ? item.input.original : item.input.shared);
    else
      std::memset(copy, 0, item.input.bytes);
    slot.store(copy);  // ordered by the tasks' own completion
  }
  return copy;
}

// The item of that variable, or of a thread's copy of it; nullptr where it is none of these.
Item* find(Reductions& reductions, const void* address) {
  for (Item& item : reductions.items) {
    bool is_ours = item.input.shared == address || item.input.original == address;
    for (int i = 0; i < reductions.team_size && !is_ours; ++i)
      is_ours = item.copies[static_cast<std::size_t>(i)].load() == address;
    if (is_ours) return &item;
  }
  return nullptr;
}

// Combines all copies into the originals: the group's tasks are complete.
void combine(Reductions* reductions) {
  for (Item& item : reductions->items)
    for (int i = 0; i < reductions->team_size; ++i) {
      void* copy = item.copies[static_cast<std::size_t>(i)].load();
      if (copy == nullptr) continue;
      item.input.combine(item.input.shared, copy);
      if (item.input.finish != nullptr) item.input.finish(copy);
      std::free(copy);
    }
  delete reductions;
}

}  // namespace

namespace heddle::kmpc {

void end_taskgroup(Member& me) {
  auto* reductions = static_cast<Reductions*>(me.context.task->group->reductions);
  taskgroup_end(me);
  if (reductions == nullptr) return;
  if (is_recording(me)) [[unlikely]] {
    record_setup(me,
                 [](void*, void*) {
                   TaskGroup& group = *this_member().context.task->group;
                   auto* const ended = static_cast<Reductions*>(group.reductions);
                   group.reductions = ended->outer;
                   combine(ended);
                 },
                 {});
  }
  combine(reductions);
}

}  // namespace heddle::kmpc

HEDDLE_EXPORT void* __kmpc_taskred_init(Gtid, std::int32_t count, ReductionInput* inputs) {
  return install(this_member(), count, inputs);
}

HEDDLE_EXPORT void* __kmpc_task_reduction_init(Gtid, std::int32_t count, OldReductionInput* inputs) {
  return install_old(this_member(), count, inputs);
}

// reduction(task, …) on parallel and worksharing constructs: each thread reduces the tasks that it creates
// into its own private variable, which the construct then reduces like any other; so nothing is shared with
// other threads.
HEDDLE_EXPORT void* __kmpc_taskred_modifier_init(Ident*, Gtid, std::int32_t /*is_workshare*/,
                                                 std::int32_t count, ReductionInput* inputs) {
  Member& me = this_member();
  taskgroup_begin_of_construct(me);
  return install(me, count, inputs);
}
HEDDLE_EXPORT void* __kmpc_task_reduction_modifier_init(Ident*, Gtid, std::int32_t /*is_workshare*/,
                                                        std::int32_t count, OldReductionInput* inputs) {
  Member& me = this_member();
  taskgroup_begin_of_construct(me);
  return install_old(me, count, inputs);
}
HEDDLE_EXPORT void __kmpc_task_reduction_modifier_fini(Ident*, Gtid, std::int32_t /*is_workshare*/) {
  end_taskgroup(this_member());
}

HEDDLE_EXPORT void* __kmpc_task_reduction_get_th_data(Gtid, void* /*descriptor*/, void* address) {
  Member& me = this_member();
  for (TaskGroup* group = me.context.task->group; group != nullptr; group = group->outer) {
    for (auto* r = static_cast<Reductions*>(group->reductions); r != nullptr; r = r->outer)
      if (Item* const item = find(*r, address)) return copy_for(me, *item);
  }
  fatal("in_reduction names %p, which no enclosing task_reduction lists", address);
}

HEDDLE_EXPORT void __kmpc_end_taskgroup(Ident*, Gtid) {
  Member& me = this_member();
  const SyncRegion sync(ompt_sync_region_taskgroup, HEDDLE_CALL_SITE());
  end_taskgroup(me);
}
