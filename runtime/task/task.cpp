#include "task/task.hpp"

namespace heddle {
namespace {

void release_extensions(Task& task, MemoryCache& cache) {
  for (TaskExtension* extension = task.extensions; extension != nullptr;) {
    TaskExtension* next = extension->next;
    cache.release(extension, extension->bytes, *extension->home);
    extension = next;
  }
}

}  // namespace

void release_task(Task& task, MemoryCache& cache) {
  for (Task* t = &task; t != nullptr;) {
    Task* kept = (t->flags & Task::kKeepsParent) != 0 ? t->parent : nullptr;
    if ((t->flags & Task::kHasExtensions) != 0) release_extensions(*t, cache);
    if (t->home != nullptr) cache.release(t, t->bytes, *t->home);
    t = kept != nullptr && kept->unkeep() ? kept : nullptr;
  }
}

}  // namespace heddle
