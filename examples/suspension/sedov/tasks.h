// What differs between the two forms of tasks: how messages cross from one rank to another.
#ifndef HEDDLE_EXAMPLES_SEDOV_TASKS_H
#define HEDDLE_EXAMPLES_SEDOV_TASKS_H

#include "suspension/sedov/domain.h"

// Slabs, both included.
typedef struct SlabRange {
  int first, last;
} SlabRange;

// Creates tasks that send a face's forces when they are packed, and that receive the neighbour's and then add
// them.
void create_send_forces(Domain* domain, int face);
void create_receive_forces(Domain* domain, int face);

// Creates tasks that send the gradients of a face, which these slabs have, and that receive the neighbour's.
void create_send_gradients(Domain* domain, int face, SlabRange slabs);
void create_receive_gradients(Domain* domain, int face);

// Creates tasks that find the longest step of all ranks when all elements are updated.
void create_longest_step(Domain* domain);

#endif
