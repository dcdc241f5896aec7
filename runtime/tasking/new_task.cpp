#include "tasking/new_task.hpp"

#include <new>

#include "tasking/observed.hpp"

namespace heddle {
namespace {

Task& make(Member& me, std::size_t bytes, unsigned flags) {
  return *new (me.cache->allocate(bytes))
      Task(*me.context.task, me.cache, static_cast<std::uint32_t>(bytes), flags);
}

[[gnu::cold, gnu::noinline]] Task& new_observed_task(Member& me, std::size_t bytes, unsigned flags,
                                                     const void* code) {
  Task& task = make(me, observed_bytes(bytes), flags);
  begin_observed(me, task, code);
  return task;
}

}  // namespace

Task& new_task(Member& me, std::size_t payload_bytes, unsigned flags, const void* code) {
  const std::size_t bytes = sizeof(Task) + payload_bytes;
  if (me.is_observed) [[unlikely]]
    return new_observed_task(me, bytes, flags, code);
  return make(me, bytes, flags);
}

}  // namespace heddle
