#include "tasking/child_table.hpp"

#include <memory>
#include <utility>

#include "task/release.hpp"

namespace heddle {
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
