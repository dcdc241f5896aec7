// A blast in a cube of gas (Sedov), on a mesh of hexahedra that moves with it: the Lagrangian method that
// LULESH stands for (Hornung, Keasler and Gokhale, "Hydrodynamics challenge problem", LLNL-TR-490254). Its
// constants are those of LULESH 2.0, so that iterations and energies are those that LULESH's users know.
//
// Words: each rank has a cube of *elements* and the *nodes* at their corners; nodes of a face belong to the
// neighbour as well. A *face* is a side of the cube, 2 * axis + (0 low, 1 high). Along z the cube is cut into
// *slabs* of elements; a slab's nodes are those below its elements, and the last one's those above, too.
//
// A step: forces at each element's corners; their sums at the nodes, to which neighbours add theirs axis by
// axis; nodes move; elements are deformed, which gives gradients of velocity, of which each needs its
// neighbours'; pressures and energies follow, and the longest time that the next step may take.
#ifndef HEDDLE_EXAMPLES_SEDOV_DOMAIN_H
#define HEDDLE_EXAMPLES_SEDOV_DOMAIN_H

#include <mpi.h>

#include "suspension/ranks.h"

enum { kFaces = 6, kCorners = 8, kMostSlabs = 64 };

// What dependences name; nobody reads or writes it. Slabs are counted from 1, so that each has neighbours.
typedef struct Tokens {
  char forces[kMostSlabs + 2], sums[kMostSlabs + 2], nodes[kMostSlabs + 2], gradients[kMostSlabs + 2],
      elements[kMostSlabs + 2];
  char packed[kFaces], added[kFaces];  // forces
  char received[2][kFaces];            // by Message
  char ghosts[kFaces];                 // gradients
} Tokens;

// What crosses a face.
typedef enum Message { kForces, kGradients } Message;

// What the elements of a slab allow the next step to take, in seconds.
typedef struct TimeLimits {
  double courant, volume;
} TimeLimits;

typedef struct Domain {
  int edge;  // elements of the cube in each direction
  int slabs;
  int side, place[3];     // ranks in each direction; which this is
  int neighbour[kFaces];  // a rank or MPI_PROC_NULL

  // Of the (edge + 1)^3 nodes, x fastest: place, velocity, force, in three directions.
  double *at[3], *velocity[3], *force[3], *node_mass;
  // Of the edge^3 elements, x fastest. Volumes are relative to the first one.
  double *energy, *pressure, *viscosity, *linear_viscosity, *square_viscosity, *sound, *mass;
  double *first_volume, *volume, *new_volume, *volume_change, *divergence, *length;
  double *gradient[3], *distance[3];  // of velocity, across the element in its own three directions
  double* corner_force[3];            // kCorners an element
  double* ghosts[kFaces];             // the neighbours' gradients across their face

  double *outgoing[2][kFaces], *incoming[2][kFaces];  // by Message
  TimeLimits limits[kMostSlabs + 2];                  // of each slab
  double longest_step;                                // of this rank's elements, then of all
  double time, step;                                  // seconds
  int steps;
  int has_failed[kMostSlabs +
                 2];  // an element's volume is no longer positive, or its viscosity has no bounds
  Tokens tokens;
} Domain;

// What a form provides: one step, from forces to this rank's longest_step over all ranks.
extern const Form kForm;
void begin_steps(void);
void advance(Domain* domain);
void end_steps(void);

// Returns 0 where memory lacks. Requires: edge >= slabs >= 1; ranks fill a cube.
int create_domain(Domain* domain, int edge, int slabs, Ranks ranks);
void free_domain(Domain* domain);

// Elements of the whole cube in each direction.
int whole_edge(const Domain* domain);

// Sets the next step's duration, and counts it. Returns 0 where the end is reached.
int begin_step(Domain* domain);

// Parts of a step, slab by slab, 1 to slabs.
void compute_forces(Domain* domain, int slab);
void sum_forces(Domain* domain, int slab);       // of the slabs around it
void move_nodes(Domain* domain, int slab);       // after the neighbours' forces
void deform(Domain* domain, int slab);           // after the nodes of this slab and the next
void update_elements(Domain* domain, int slab);  // after the gradients around it and its ghosts
// After all: the longest step that this rank's elements allow.
void find_longest_step(Domain* domain);

// Messages: their number of values; a tag for what a rank receives; copies between the cube and the buffers.
// Forces are added to the face's own. Neighbours along y want the sums along x in them, and those along z
// both.
int message_values(const Domain* domain, Message message);
int tag(Message message, int face);
int opposite(int face);
void pack(Domain* domain, Message message, int face);
void unpack(Domain* domain, Message message, int face);

#endif
