#include "report/overflow_report.hpp"

#include <cstdio>

#include "fiber/stack_pool.hpp"
#include "report/report_places.hpp"
#include "sys/backtrace.hpp"
#include "sys/memory.hpp"
#include "sys/stack_overflow.hpp"
#include "team/team.hpp"

namespace heddle {
namespace {

// Its guard is its lowest page, which alone may not be touched.
StackRange stack_of_task_at(const void* address) {
  for (const FiberStack* stack = newest_stack(); stack != nullptr; stack = stack->older) {
    const char* const bottom = static_cast<const char*>(stack->bottom);
    if (address >= bottom && address < bottom + page_bytes()) return {bottom, stack->bytes};
  }
  return {};
}

void write_what_this_thread_executes(char* text, std::size_t bytes) {
  const Member* const place = t_worker != nullptr ? t_worker->member.seen() : nullptr;
  const Task* const task = place != nullptr ? place->context.task : nullptr;
  if (task == nullptr || (task->is_implicit() && place->team->level == 0)) {
    std::snprintf(text, bytes, "a thread of the program");
  } else if (task->is_implicit()) {
    std::snprintf(text, bytes, "thread %d of a parallel region", place->number);
  } else {
    const int length = std::snprintf(text, bytes, "the task at ");
    write_code_place(code_of(*task), text + length, bytes - static_cast<std::size_t>(length));
  }
}

}  // namespace

void report_stack_overflows() {
  name_stack_overflows({.stack_at = stack_of_task_at,
                        .what = write_what_this_thread_executes,
                        .advice = "set OMP_STACKSIZE to more"});
}

}  // namespace heddle
