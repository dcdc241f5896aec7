// What the programs of several ranks have in common: how they begin and end, and what they say.
// All functions are collective.
#ifndef HEDDLE_EXAMPLES_RANKS_H
#define HEDDLE_EXAMPLES_RANKS_H

#include <stddef.h>
#include <stdint.h>

typedef struct Ranks {
  int rank;
  int count;
} Ranks;

// A form of a program: how it communicates.
typedef struct Form {
  const char* name;
  int suspends_tasks;
} Form;

// Starts MPI. Ends the program where MPI does not let all threads communicate at once, and where the form
// needs tasks that suspend themselves and the OpenMP runtime has none.
Ranks begin_ranks(int* argc, char*** argv, const Form* form);

// Rank 0 prints the line to the standard error; the program ends with status 1.
_Noreturn void give_up(const char* format, ...) __attribute__((format(printf, 1, 2)));

// Whether it holds on every rank.
int holds_everywhere(int holds);

// The sum of all ranks' numbers, on rank 0.
uint64_t sum_of_ranks(uint64_t number);

// A number for these values, bit by bit, and the place where they are: the sum over all places is the
// result's checksum, whichever rank has which.
uint64_t checksum_of(const double* values, size_t count, uint64_t place);

#endif
