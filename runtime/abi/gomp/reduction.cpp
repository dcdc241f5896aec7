#include "abi/gomp/reduction.hpp"

#include <cstdlib>
#include <cstring>

#include "abi/gomp/gomp.hpp"
#include "replay/taskgraph.hpp"
#include "sys/fatal.hpp"

namespace heddle::gomp {
namespace {

using Word = std::uintptr_t;
enum : std::size_t {
  kItems = 0,
  kBytes = 1,
  kMemory = 2,
  kNext = 4,
  kEnd = 6,
  kFirstItem = 7,
  kItemWords = 3
};

Word* next_of(const Word* descriptor) {
  return reinterpret_cast<Word*>(descriptor[kNext]);
}

// The newest descriptors of the group or of those around it.
Word* registered_in(const TaskGroup* group) {
  for (; group != nullptr; group = group->outer)
    if (group->reductions != nullptr) return static_cast<Word*>(group->reductions);
  return nullptr;
}

struct Found {
  Word* descriptor = nullptr;
  Word* item = nullptr;
};

// By the original's address, or by the address of another thread's copy of it.
Found find_item(Word* descriptors, Word address) {
  for (Word* d = descriptors; d != nullptr; d = next_of(d)) {
    const bool is_copy = address >= d[kMemory] && address < d[kEnd];
    const Word offset = is_copy ? (address - d[kMemory]) % d[kBytes] : 0;
    for (Word i = 0; i < d[kItems]; ++i) {
      Word* item = d + kFirstItem + kItemWords * i;
      if (is_copy ? item[1] == offset : item[0] == address) return {d, item};
    }
  }
  return {};
}

}  // namespace

std::vector<void*> allocate_copies(const Word* descriptors, int team_size) {
  std::vector<void*> blocks;
  for (const Word* d = descriptors; d != nullptr; d = next_of(d)) {
    const Word alignment = d[kMemory] < sizeof(void*) ? sizeof(void*) : d[kMemory];
    const Word bytes = d[kBytes] * static_cast<Word>(team_size);
    void* block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (block == nullptr)
      fatal("no memory left for %zu bytes of task reductions", static_cast<std::size_t>(bytes));
    std::memset(block, 0, bytes);
    blocks.push_back(block);
  }
  return blocks;
}

void place_copies(Word* descriptors, const std::vector<void*>& blocks, int team_size) {
  Word* d = descriptors;
  for (void* block : blocks) {
    d[kMemory] = reinterpret_cast<Word>(block);
    d[kEnd] = d[kMemory] + d[kBytes] * static_cast<Word>(team_size);
    d = next_of(d);
  }
}

void register_placed(Member& me, Word* descriptors) {
  TaskGroup* group = me.context.task->group;
  Word* last = descriptors;
  while (last[kNext] != 0) last = next_of(last);
  last[kNext] =
      reinterpret_cast<Word>(registered_in(group));  // what enclosing groups registered stays visible
  group->reductions = descriptors;
}

void register_reductions(Member& me, Word* descriptors) {
  if (is_recording(me)) [[unlikely]]
    refuse_to_record(me, "a task reduction is in it (not yet)");
  place_copies(descriptors, allocate_copies(descriptors, me.team->size), me.team->size);
  register_placed(me, descriptors);
}

}  // namespace heddle::gomp

using namespace heddle;
using namespace heddle::gomp;

HEDDLE_EXPORT void GOMP_taskgroup_reduction_register(std::uintptr_t* descriptors) {
  register_reductions(this_member(), descriptors);
}

HEDDLE_EXPORT void GOMP_taskgroup_reduction_unregister(std::uintptr_t* descriptors) {
  // The chain goes on into enclosing groups' descriptors, which are not ours: free this construct's own only.
  const Word* const foreign = registered_in(this_member().context.task->group);
  for (Word* d = descriptors; d != nullptr && d != foreign; d = next_of(d)) {
    std::free(reinterpret_cast<void*>(d[kMemory]));
    d[kMemory] = 0;
  }
}

// ptrs[i] becomes the calling thread's copy; for the first `originals` items ptrs[count + i] becomes the
// original.
HEDDLE_EXPORT void GOMP_task_reduction_remap(std::size_t count, std::size_t originals, void** ptrs) {
  Member& me = this_member();
  Word* const descriptors = registered_in(me.context.task->group);
  for (std::size_t i = 0; i < count; ++i) {
    const Found found = find_item(descriptors, reinterpret_cast<Word>(ptrs[i]));
    if (found.item == nullptr)
      fatal("in_reduction names %p, which no enclosing task_reduction lists", ptrs[i]);
    const Word copy =
        found.descriptor[kMemory] + static_cast<Word>(me.number) * found.descriptor[kBytes] + found.item[1];
    ptrs[i] = reinterpret_cast<void*>(copy);
    if (i < originals) ptrs[count + i] = reinterpret_cast<void*>(found.item[0]);
  }
}
