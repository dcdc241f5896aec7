// What differs between the two forms of tasks: how a tile crosses from one rank to another.
#ifndef HEDDLE_EXAMPLES_CHOLESKY_TASKS_H
#define HEDDLE_EXAMPLES_CHOLESKY_TASKS_H

#include "suspension/cholesky/tiles.h"

// Each creates a task that is complete when its message is: one reads the tile, the other writes it.
void create_send(const Matrix* matrix, int i, int k, int to);
void create_receive(const Matrix* matrix, int i, int k);

// The same message of all columns goes by this number.
static inline int tag(const Matrix* matrix, int i, int k) {
  return k * matrix->tiles + i;
}

#endif
