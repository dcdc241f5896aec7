#include "task/task.hpp"

#include <new>

namespace heddle {

bool Task::is_valid() const {
  const unsigned bits = flags;
  const auto has = [bits](unsigned flag) { return (bits & flag) != 0; };
  // Each flag of what stands in the third cache line, and that.
  if (extensions != nullptr && !has(kHasExtensions)) return false;
  if (child_table != nullptr && !has(kHasChildTable)) return false;
  if (has(kInGroup) && group == nullptr) return false;
  if (has(kHasExclusions) && extensions == nullptr) return false;
  // What it is.
  if (has(kImplicit) != (parent == nullptr)) return false;
  if (has(kImplicit) && has(kUndeferred | kDetachable | kHasHandle | kInTable)) return false;
  if (has(kUndeferred) && has(kHasHandle)) return false;
  if (!has(kInTable) && table_references != 0) return false;
  if (priority < kBackground) return false;
  // Where it stands among others.
  if (parent != nullptr && depth != (parent->depth < UINT16_MAX ? parent->depth + 1 : UINT16_MAX))
    return false;
  if (home != nullptr && bytes < sizeof(Task)) return false;
  return !is_complete();
}

TaskExtension& extend(Task& task, std::size_t bytes, MemoryCache& cache) {
  const std::size_t total = sizeof(TaskExtension) + bytes;
  task.extensions =
      new (cache.allocate(total)) TaskExtension{task.extensions, static_cast<std::uint32_t>(total), &cache};
  task.flags.set(Task::kHasExtensions);
  return *task.extensions;
}

void release_extensions(Task& task, MemoryCache& cache) {
  for (TaskExtension* extension = task.extensions; extension != nullptr;) {
    TaskExtension* next = extension->next;
    cache.release(extension, extension->bytes, *extension->home);
    extension = next;
  }
}

}  // namespace heddle
