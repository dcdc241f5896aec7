// Messages to the user: one line each on standard error, opened with "heddle: ".
#pragma once

namespace heddle {

/// Prints one line and ends the program with status 2. For mistakes that a user can mend; says what and how.
[[noreturn, gnu::format(printf, 1, 2)]] void fatal(const char* format, ...);

/// Prints one line and goes on. For a setting that was not understood; says what is used instead.
[[gnu::format(printf, 1, 2)]] void warn(const char* format, ...);

/// Prints one line and goes on: what the user asked to be told, as no setting silences.
[[gnu::format(printf, 1, 2)]] void notice(const char* format, ...);

/// Whether warn() prints; it does at the start.
void set_warnings(bool is_on);

/// Prints where an invariant of the runtime broke, and aborts.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace heddle

#ifdef NDEBUG
#  define HEDDLE_ASSERT(condition) static_cast<void>(0)
#else
#  define HEDDLE_ASSERT(condition) \
    ((condition) ? static_cast<void>(0) : ::heddle::assertion_failed(#condition, __FILE__, __LINE__))
#endif
