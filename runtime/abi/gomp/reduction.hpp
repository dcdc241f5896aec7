// task_reduction and in_reduction as GCC lowers them.
//
// Words: a *descriptor* is the array of words that GCC builds for one set of list items: [0] their number,
// [1] bytes of one thread's copies, [2] alignment on entry and the memory afterwards, [4] the next (outer)
// descriptor, [6] the end of the memory, then from [7] three words per item: address of the original, offset
// in the copies, owner. Copies start zeroed; the program initialises and combines them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {
struct Member;
}

namespace heddle::gomp {

/// Zeroed memory for the private copies of team_size threads, one block a descriptor of the chain.
std::vector<void*> allocate_copies(const std::uintptr_t* descriptors, int team_size);

/// Writes into a chain of descriptors where its blocks are.
void place_copies(std::uintptr_t* descriptors, const std::vector<void*>& blocks, int team_size);

/// Makes a chain of descriptors, whose copies are placed, visible to the tasks of the current taskgroup.
void register_placed(Member& me, std::uintptr_t* descriptors);

/// Gives the current task's taskgroup memory for the private copies of the listed items.
void register_reductions(Member& me, std::uintptr_t* descriptors);

}  // namespace heddle::gomp
