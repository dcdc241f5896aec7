#include "suspend/stack_log.hpp"

#include <cstdlib>

#include "fiber/stack_pool.hpp"
#include "icv/settings.hpp"
#include "sys/fatal.hpp"

namespace heddle {
namespace {

double kib(std::size_t bytes) {
  return static_cast<double>(bytes) / 1024;
}

void log_stacks() {
  const StackReport report = report_stacks();
  if (report.lives == 0) return;
  notice(
      "stacks of suspended tasks: %d at once, of %.0f KiB; each took %.1f KiB of memory on average, "
      "the deepest used %.0f KiB",
      report.made, kib(report.stack_bytes), kib(report.bytes_of_lives) / static_cast<double>(report.lives),
      kib(report.deepest_bytes));
}

}  // namespace

void log_stacks_at_exit() {
  if (!settings().logs_stacks) return;
  count_lives_of_stacks();
  std::atexit(log_stacks);
}

}  // namespace heddle
