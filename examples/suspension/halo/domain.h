// A box of cells that many ranks share, and one sweep of a 7-point stencil over it.
//
// Words: each rank has a cube of cells with one layer around it, the *ghosts*: copies of the neighbours'
// cells, or what the box has at its surface, which stays. A *face* is a side of the cube, 2 * axis + (0 low,
// 1 high). The cube is cut along z into *slabs*; the *rim* of a slab is what reads ghosts, the rest is
// *inner*.
//
// There are two copies of all cells: sweep t reads copy t % 2 and writes the other. Every cell is computed
// from the sweep before alone, so the result has the same bits in whatever order that happens, on any number
// of ranks.
#ifndef HEDDLE_EXAMPLES_HALO_DOMAIN_H
#define HEDDLE_EXAMPLES_HALO_DOMAIN_H

#include <mpi.h>
#include <stdint.h>

#include "suspension/ranks.h"

enum { kFaces = 6, kMostSlabs = 64 };

// What dependences name; nobody reads or writes it. Slabs are counted from 1, so that each has neighbours.
typedef struct Tokens {
  char inner[kMostSlabs + 2], rim[kMostSlabs + 2];
  char sent[kFaces], received[kFaces], ghosts[kFaces];
} Tokens;

typedef struct Domain {
  int edge;  // cells of the cube in each direction
  int slabs;
  int ranks[3], place[3];  // of the grid of ranks, and in it
  int neighbour[kFaces];   // a rank or MPI_PROC_NULL
  double* cells[2];        // (edge + 2)^3, x fastest
  double* outgoing[2][kFaces];
  double* incoming[2][kFaces];
  Tokens tokens[2];
} Domain;

// What a form provides: so many sweeps.
extern const Form kForm;
void sweep(Domain* domain, int sweeps);

// Returns 0 where memory lacks. Requires: edge >= slabs >= 1.
int create_domain(Domain* domain, int edge, int slabs, Ranks ranks);
void free_domain(Domain* domain);

int face_values(const Domain* domain);
// The tag of what a rank receives for this face; two sweeps' messages may be under way at once.
int tag(int t, int face);
int opposite(int face);

// Copies between the outermost cells of a face, or its ghosts, and the buffers of sweep t.
void pack(Domain* domain, int t, int face);
void unpack(Domain* domain, int t, int face);

// Sweep t over a part of a slab, 1 to slabs.
void update_inner(Domain* domain, int t, int slab);
void update_rim(Domain* domain, int t, int slab);

// Whether this rank's cells are those that so many serial sweeps over the whole box give, bit for bit: 1 or
// 0, and -1 where memory lacks.
int equals_serial_sweeps(const Domain* domain, int sweeps);
uint64_t checksum_of_cells(const Domain* domain, int sweeps);

#endif
