// What differs between the two forms of tasks: how a face crosses from one rank to another.
#ifndef HEDDLE_EXAMPLES_HALO_TASKS_H
#define HEDDLE_EXAMPLES_HALO_TASKS_H

#include "suspension/halo/domain.h"

// Slabs, both included.
typedef struct SlabRange {
  int first, last;
} SlabRange;

// Creates tasks that send the face's cells of sweep t: they depend on the rims of the slabs that have them.
void create_send(Domain* domain, int t, int face, SlabRange slabs);

// Creates tasks that put the neighbour's cells into the face's ghosts.
void create_receive(Domain* domain, int t, int face);

#endif
