// What the programs of this folder have in common: each says what is wrong, or OK, and ends with the number
// of wrongs.
#ifndef HEDDLE_TESTS_TOOLS_REAL_RIGHT_H_
#define HEDDLE_TESTS_TOOLS_REAL_RIGHT_H_

#include <stdio.h>

static int wrongs = 0;

#define RIGHT(condition, ...) \
  do {                        \
    if (condition) break;     \
    ++wrongs;                 \
    printf("WRONG: ");        \
    printf(__VA_ARGS__);      \
    printf("\n");             \
  } while (0)

static int end(void) {
  if (wrongs == 0) printf("OK\n");
  return wrongs;
}

#endif
