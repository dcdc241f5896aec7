// Suspending tasks: the routines of Pereira et al., IWOMP 2023, and what heddle.h adds.
#include "suspend/suspension.hpp"

#include <cstdio>
#include <string>

#include "abi/export.hpp"
#include "report/task_list.hpp"
#include "report/wait_report.hpp"
#include "suspend/continuation.hpp"
#include "suspend/polling.hpp"
#include "sys/fatal.hpp"
#include "team/team.hpp"

using namespace heddle;

namespace {

int write(const std::string& text, const char* file) {
  std::FILE* const out = std::fopen(file, "we");
  if (out == nullptr) return -1;
  const bool is_whole = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  return std::fclose(out) == 0 && is_whole ? 0 : -1;
}

}  // namespace

// For `heddle attach`, which calls it by way of a debugger while every thread stands still: writes who waits
// for what, with code named by file and address. Returns 0, or -1 where the file cannot be written.
HEDDLE_EXPORT int heddle_write_waits_(const char* file) {
  return write(report_waits(Places::kRaw), file);
}

// For tools/gdb/heddle-gdb.py, in the same way: which tasks are executed and suspended.
HEDDLE_EXPORT int heddle_write_tasks_(const char* file) {
  return write(list_tasks(), file);
}

HEDDLE_EXPORT const void* heddle_current_task() {
  return this_member().context.task;
}

HEDDLE_EXPORT void heddle_register_waits(void (*tell)(void*, void (*)(void*, const void*, const char*),
                                                      void*),
                                         void* argument) {
  if (!add_outside_waits(tell, argument))
    warn("heddle_register_waits: no room for one more; what it knows is in no report");
}

HEDDLE_EXPORT void* omp_task_continuation_event() {
  return new_continuation_event(this_member(), __builtin_return_address(0));
}

HEDDLE_EXPORT void omp_taskwait_detach(void* event) {
  wait_for_continuation(this_member(), event);
}

HEDDLE_EXPORT void heddle_task_sleep_ns(unsigned long long ns) {
  constexpr unsigned long long kLongest = INT64_MAX / 2;
  sleep_task(this_member(), static_cast<std::int64_t>(ns < kLongest ? ns : kLongest));
}
