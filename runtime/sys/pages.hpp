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

}  // namespace heddle
