// Arguments of the programs here, read strictly.
#ifndef HEDDLE_EXAMPLES_ARGUMENTS_H
#define HEDDLE_EXAMPLES_ARGUMENTS_H

#include <errno.h>
#include <stdlib.h>

// The number that text spells, or -1 where it spells none from least to most.
// Requires: least is not negative.
static inline long number_in(const char* text, long least, long most) {
  char* end = NULL;
  errno = 0;
  const long number = strtol(text, &end, 10);
  const int is_number = end != text && *end == '\0' && errno == 0;
  return is_number && number >= least && number <= most ? number : -1;
}

#endif
