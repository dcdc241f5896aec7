#include "sys/fatal.hpp"

#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#include "base/relaxed_atomic.hpp"

namespace heddle {
namespace {

RelaxedAtomic<bool> g_warns{true};

// One write per line, so that lines of several threads do not mix.
void print_line(const char* format, va_list arguments) {
  char line[1024];
  int length = std::snprintf(line, sizeof line, "heddle: ");
  length +=
      std::vsnprintf(line + length, sizeof line - static_cast<std::size_t>(length) - 1, format, arguments);
  if (length > static_cast<int>(sizeof line) - 2) length = static_cast<int>(sizeof line) - 2;
  line[length++] = '\n';
  if (write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0) return;  // nowhere left to complain
}

}  // namespace

void fatal(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::fflush(nullptr);
  print_line(format, arguments);
  va_end(arguments);
  _exit(2);
}

void warn(const char* format, ...) {
  if (!g_warns.load()) return;
  va_list arguments;
  va_start(arguments, format);
  print_line(format, arguments);
  va_end(arguments);
}

void notice(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_line(format, arguments);
  va_end(arguments);
}

void set_warnings(bool is_on) {
  g_warns.store(is_on);
}

void assertion_failed(const char* condition, const char* file, int line) {
  notice("internal error: %s does not hold at %s:%d; please report it", condition, file, line);
  std::abort();
}

}  // namespace heddle
