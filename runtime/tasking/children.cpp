#include "tasking/children.hpp"

#include <memory>
#include <new>
#include <utility>

#include "task/task.hpp"
#include "tasking/complete.hpp"
#include "trace/tool.hpp"

namespace heddle {
namespace {

Task& make(Member& me, std::size_t bytes, unsigned flags) {
  return *new (me.cache->allocate(bytes))
      Task(*me.context.task, me.cache, static_cast<std::uint32_t>(bytes), flags);
}

[[gnu::cold, gnu::noinline]] Task& new_observed_task(Member& me, std::size_t bytes, unsigned flags,
                                                     const void* code) {
  Task& task = make(me, bytes_with_tool(bytes), flags);
  observe(&Observer::task_made, task, code);
  return task;
}

}  // namespace

Task& new_task(Member& me, std::size_t payload_bytes, unsigned flags, const void* code) {
  const std::size_t bytes = sizeof(Task) + payload_bytes;
  if (me.is_observed) [[unlikely]]
    return new_observed_task(me, bytes, flags, code);
  return make(me, bytes, flags);
}

DependenceTable& table_of(Member& me, Task& task) {
  if (task.child_table == nullptr) {
    if (me.spare_table == nullptr) me.spare_table = std::make_unique<DependenceTable>(&release_task);
    task.child_table = me.spare_table.release();
    task.flags.set(Task::kHasChildTable);
  }
  return *task.child_table;
}

void forget_dependences(Member& me, Task& task) {
  if (task.child_table == nullptr) return;
  std::unique_ptr<DependenceTable> table(std::exchange(task.child_table, nullptr));
  table->clear(*me.cache);
  if (me.spare_table == nullptr) me.spare_table = std::move(table);
}

}  // namespace heddle
