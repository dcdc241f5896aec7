// What the programs of both benchmark sets need: memory, time, a median, and a way out.
#pragma once

enum { kCacheLine = 64 };

/// The program's, in messages. Defined beside main().
extern const char program_name[];

/// Zeroed memory on a cache line. Errors: ends the program with status 2.
void* allocated(long count, long size_bytes);

/// Ends the program with status 2 and this line on standard error.
_Noreturn void refuse(const char* format, ...) __attribute__((format(printf, 1, 2)));

/// Monotonic time.
double now_ns(void);

/// Sorts the values and returns the one in the middle, or the mean of the two. Requires: count is above 0.
double sorted_median(double* values, long count);
