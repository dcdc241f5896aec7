#include "tasking/new_task.hpp"

#include <new>

namespace heddle {
Task& new_task(Member& me, std::size_t payload_bytes, unsigned flags, const void* code) {
  const std::size_t bytes = sizeof(Task) + payload_bytes;
  Task& task =
      *new (me.cache->allocate(bytes)) Task(*me.current, me.cache, static_cast<std::uint32_t>(bytes), flags);
  if (me.team->order != nullptr) [[unlikely]]
    me.team->order->created(task, code);
  return task;
}

}  // namespace heddle
