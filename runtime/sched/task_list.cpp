#include "sched/task_list.hpp"

#include <algorithm>
#include <mutex>

namespace heddle {

void TaskList::insert(Task& task) {
  const std::lock_guard guard(lock_);
  auto bucket = std::find_if(buckets_.begin(), buckets_.end(),
                             [&](const Bucket& b) { return b.priority <= task.priority; });
  if (bucket == buckets_.end() || bucket->priority != task.priority)
    bucket = buckets_.insert(bucket, Bucket{task.priority});
  task.next = nullptr;
  (bucket->last != nullptr ? bucket->last->next : bucket->first) = &task;
  bucket->last = &task;
  count_.fetch_add(1, std::memory_order_seq_cst);  // before a following look for sleepers, as in the deque
}

}  // namespace heddle
