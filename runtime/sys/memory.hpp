// Whole pages from the operating system, and where in the machine they are to lie.
//
// Words: a *node* is a part of the machine's memory that some processors reach faster than others. A page
// lies on the node of the thread that first touches it, unless *placed*.
#pragma once

#include <cstddef>

namespace heddle {

enum class PagePlacement {
  kFirstTouch,
  kInterleaved,  // page by page around the nodes
  kBlocked,      // one run of pages a node
};

/// Fresh pages, zero, at least `bytes`. is_locked: they are never swapped out.
/// Errors: null where the system has no memory left or lets this user lock no more.
/// Where the system does not let us place pages they stay where they are first touched: placement is speed,
/// not meaning.
void* map_pages(std::size_t bytes, PagePlacement placement, bool is_locked);

/// Has all pages be there, which is faster than touching one after the other. Where the system cannot do that
/// they come when they are touched.
void populate_pages(void* pages, std::size_t bytes);

/// Gives back what map_pages(bytes, …) returned.
void unmap_pages(void* pages, std::size_t bytes);

// Memory for stacks: address space in large pieces, of which pages are taken as they are touched.
//
// Words: a *reserve* is a mapping that holds many stacks; the *guard* is the lowest page of each, which may
// not be touched. Invariant: a stack's pages cost memory from when they are first touched until
// forget_stack().

/// The size of a page, bytes.
std::size_t page_bytes();

/// Address space for `bytes`, without memory behind it; never given back.
/// Errors: null where there is none left, or the process may not have more. Where its address space is
/// limited (RLIMIT_AS, as batch systems set it), stacks leave a quarter of the limit to everything else.
void* reserve_stacks(std::size_t bytes);

/// Makes the lowest page at `bottom` one that ends the program when it is touched.
/// Returns false where the system has no room for another guard.
/// Cost: one system call; on Linux before 6.13 also two mappings, of which a process may have some 65,000.
bool guard_stack(void* bottom);

/// The memory of a stack goes back to the system; its guard stays.
void forget_stack(void* bottom, std::size_t bytes);

/// How many bytes of the stack have memory behind them, and how many lie between its top and the deepest of
/// those. Exact while nobody runs on it.
struct StackUse {
  std::size_t resident_bytes = 0;
  std::size_t depth_bytes = 0;
};
StackUse stack_use(const void* bottom, std::size_t bytes);

}  // namespace heddle
