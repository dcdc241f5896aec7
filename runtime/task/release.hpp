// The end of a task's memory.
#pragma once

#include "mem/cache.hpp"
#include "task/task.hpp"

namespace heddle {

/// Frees the memory of a task that nobody needs any more, and of the ancestors that only it has kept.
/// Threads: the owner of `cache`.
void release_task(Task& task, MemoryCache& cache);

}  // namespace heddle
