// Memory for stacks: address space in large pieces, of which pages are taken as they are touched.
//
// Words: a *reserve* is a mapping that holds many stacks; the *guard* is the lowest page of each, which may
// not be touched. Invariant: a stack's pages cost memory from when they are first touched until
// forget_stack().
#pragma once

#include <cstddef>

namespace heddle {

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
