#include "suspension/halo/domain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// -- Cells
// ---------------------------------------------------------------------------------------------------

static size_t cube_of(int length) {
  return (size_t)length * (size_t)length * (size_t)length;
}

static double initial(long x, long y, long z) {
  return (double)((x * 73 + y * 179 + z * 283) % 1009) / 1009.0;
}

// One row of cells, begin to end along x; each reads itself and its six neighbours.
static void update_row(const double* from, double* to, long begin, long end, long row, long plane) {
  for (long i = begin; i < end; i++)
    to[i] = 0.4 * from[i] + 0.1 * ((from[i - 1] + from[i + 1]) + (from[i - row] + from[i + row]) +
                                   (from[i - plane] + from[i + plane]));
}

static void update_x(Domain* domain, int t, int begin, int end, int y, int z) {
  const long row = domain->edge + 2, plane = row * row, at = z * plane + y * row;
  update_row(domain->cells[t % 2], domain->cells[1 - t % 2], at + begin, at + end, row, plane);
}

static int slab_begin(const Domain* domain, int slab) {
  return 1 + (slab - 1) * domain->edge / domain->slabs;
}

void update_inner(Domain* domain, int t, int slab) {
  const int last = domain->edge;
  for (int z = slab_begin(domain, slab); z < slab_begin(domain, slab + 1); z++)
    if (z > 1 && z < last)
      for (int y = 2; y < last; y++) update_x(domain, t, 2, last, y, z);
}

void update_rim(Domain* domain, int t, int slab) {
  const int last = domain->edge;
  for (int z = slab_begin(domain, slab); z < slab_begin(domain, slab + 1); z++) {
    for (int y = 1; y <= last; y++) {
      if (z == 1 || z == last || y == 1 || y == last) {
        update_x(domain, t, 1, last + 1, y, z);
      } else {
        update_x(domain, t, 1, 2, y, z);
        update_x(domain, t, last, last + 1, y, z);
      }
    }
  }
}

// -- Faces
// ---------------------------------------------------------------------------------------------------

int face_values(const Domain* domain) {
  return domain->edge * domain->edge;
}

int tag(int t, int face) {
  return t % 2 * kFaces + face;
}

int opposite(int face) {
  return face ^ 1;
}

// Where the cells of a layer along the face's axis are: the first, and the steps in the two other directions.
typedef struct Layer {
  long first, inner_step, outer_step;
} Layer;

static Layer layer(const Domain* domain, int face, int index) {
  const long row = domain->edge + 2, steps[3] = {1, row, row * row};
  const int axis = face / 2;
  const long inner = steps[axis == 0], outer = steps[axis == 2 ? 1 : 2];
  return (Layer){index * steps[axis] + inner + outer, inner, outer};
}

void pack(Domain* domain, int t, int face) {
  const Layer from = layer(domain, face, face % 2 == 0 ? 1 : domain->edge);
  const double* cells = domain->cells[t % 2] + from.first;
  double* buffer = domain->outgoing[t % 2][face];
  for (int j = 0; j < domain->edge; j++)
    for (int i = 0; i < domain->edge; i++) *buffer++ = cells[j * from.outer_step + i * from.inner_step];
}

void unpack(Domain* domain, int t, int face) {
  const Layer to = layer(domain, face, face % 2 == 0 ? 0 : domain->edge + 1);
  const double* buffer = domain->incoming[t % 2][face];
  double* cells = domain->cells[t % 2] + to.first;
  for (int j = 0; j < domain->edge; j++)
    for (int i = 0; i < domain->edge; i++) cells[j * to.outer_step + i * to.inner_step] = *buffer++;
}

// -- The box
// -------------------------------------------------------------------------------------------------

static void find_neighbours(Domain* domain, Ranks ranks) {
  const int is_periodic[3] = {0, 0, 0};
  MPI_Comm grid;
  memset(domain->ranks, 0, sizeof domain->ranks);
  MPI_Dims_create(ranks.count, 3, domain->ranks);
  MPI_Cart_create(MPI_COMM_WORLD, 3, domain->ranks, is_periodic, 0, &grid);
  MPI_Cart_coords(grid, ranks.rank, 3, domain->place);
  for (int axis = 0; axis < 3; axis++)
    MPI_Cart_shift(grid, axis, 1, &domain->neighbour[2 * axis], &domain->neighbour[2 * axis + 1]);
  MPI_Comm_free(&grid);
}

static void fill(double* cells, const int length[3], const int first[3]) {
  for (int z = 0; z < length[2]; z++)
    for (int y = 0; y < length[1]; y++)
      for (int x = 0; x < length[0]; x++) *cells++ = initial(first[0] + x, first[1] + y, first[2] + z);
}

// A message that is not waited for leaves something that is not a number in the result.
static void spoil_ghosts(Domain* domain) {
  for (int copy = 0; copy < 2; copy++) {
    for (int face = 0; face < kFaces; face++) {
      if (domain->neighbour[face] == MPI_PROC_NULL) continue;
      for (int i = 0; i < face_values(domain); i++) domain->incoming[copy][face][i] = NAN;
      unpack(domain, copy, face);
    }
  }
}

int create_domain(Domain* domain, int edge, int slabs, Ranks ranks) {
  memset(domain, 0, sizeof *domain);
  domain->edge = edge;
  domain->slabs = slabs;
  find_neighbours(domain, ranks);
  const int length[3] = {edge + 2, edge + 2, edge + 2};
  const int first[3] = {domain->place[0] * edge, domain->place[1] * edge, domain->place[2] * edge};
  int has_memory = 1;
  for (int copy = 0; copy < 2; copy++) {
    has_memory &= (domain->cells[copy] = malloc(cube_of(edge + 2) * sizeof(double))) != NULL;
    for (int face = 0; face < kFaces; face++) {
      const size_t size = (size_t)face_values(domain) * sizeof(double);
      has_memory &= (domain->outgoing[copy][face] = malloc(size)) != NULL;
      has_memory &= (domain->incoming[copy][face] = malloc(size)) != NULL;
    }
  }
  if (!has_memory) return 0;
  for (int copy = 0; copy < 2; copy++) fill(domain->cells[copy], length, first);
  spoil_ghosts(domain);
  return 1;
}

void free_domain(Domain* domain) {
  for (int copy = 0; copy < 2; copy++) {
    free(domain->cells[copy]);
    for (int face = 0; face < kFaces; face++) {
      free(domain->outgoing[copy][face]);
      free(domain->incoming[copy][face]);
    }
  }
}

// -- What is right
// -------------------------------------------------------------------------------------------

static int equals_part_of(const Domain* domain, const double* own, const double* box, const int length[3]) {
  const long row = domain->edge + 2;
  const size_t size = (size_t)domain->edge * sizeof(double);
  for (int z = 1; z <= domain->edge; z++) {
    for (int y = 1; y <= domain->edge; y++) {
      const long box_z = domain->place[2] * domain->edge + z, box_y = domain->place[1] * domain->edge + y;
      const double* row_of_box =
          box + (box_z * length[1] + box_y) * length[0] + domain->place[0] * domain->edge + 1;
      if (memcmp(own + (z * row + y) * row + 1, row_of_box, size) != 0) return 0;
    }
  }
  return 1;
}

int equals_serial_sweeps(const Domain* domain, int sweeps) {
  const int first[3] = {0, 0, 0};
  int length[3];
  size_t count = sizeof(double);
  for (int axis = 0; axis < 3; axis++) {
    length[axis] = domain->ranks[axis] * domain->edge + 2;
    count *= (size_t)length[axis];
  }
  double* box[2] = {malloc(count), malloc(count)};
  int is_equal = -1;
  if (box[0] != NULL && box[1] != NULL) {
    fill(box[0], length, first);
    fill(box[1], length, first);
    const long row = length[0], plane = row * length[1];
    for (int t = 0; t < sweeps; t++)
      for (int z = 1; z < length[2] - 1; z++)
        for (int y = 1; y < length[1] - 1; y++)
          update_row(box[t % 2], box[1 - t % 2], z * plane + y * row + 1, z * plane + y * row + row - 1, row,
                     plane);
    is_equal = equals_part_of(domain, domain->cells[sweeps % 2], box[sweeps % 2], length);
  }
  free(box[0]);
  free(box[1]);
  return is_equal;
}

uint64_t checksum_of_cells(const Domain* domain, int sweeps) {
  const long row = domain->edge + 2;
  uint64_t sum = 0;
  for (int z = 1; z <= domain->edge; z++) {
    for (int y = 1; y <= domain->edge; y++) {
      const uint64_t place = (uint64_t)domain->place[0] +
                             1000 * (uint64_t)(domain->place[1] * domain->edge + y) +
                             1000000000 * (uint64_t)(domain->place[2] * domain->edge + z);
      sum += checksum_of(domain->cells[sweeps % 2] + (z * row + y) * row + 1, (size_t)domain->edge, place);
    }
  }
  return sum;
}
