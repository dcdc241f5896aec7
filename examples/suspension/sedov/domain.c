#include "suspension/sedov/domain.h"

#include <math.h>
#include <stdlib.h>

#include "suspension/sedov/geometry.h"

static const double kWholeLength = 1.125;  // metres, of the cube that all ranks share

int whole_edge(const Domain* domain) {
  return domain->edge * domain->side;
}

static int rank_at(const Domain* domain, int axis, int step) {
  int place[3] = {domain->place[0], domain->place[1], domain->place[2]};
  place[axis] += step;
  if (place[axis] < 0 || place[axis] >= domain->side) return MPI_PROC_NULL;
  return (place[2] * domain->side + place[1]) * domain->side + place[0];
}

static int allocate_all(Domain* domain) {
  const size_t edge = (size_t)domain->edge, elements = edge * edge * edge,
               nodes = (edge + 1) * (edge + 1) * (edge + 1);
  int is_there = 1;
  double** const of_nodes[] = {
      &domain->at[0],       &domain->at[1],    &domain->at[2],    &domain->velocity[0], &domain->velocity[1],
      &domain->velocity[2], &domain->force[0], &domain->force[1], &domain->force[2],    &domain->node_mass};
  double** const of_elements[] = {
      &domain->energy,           &domain->pressure,    &domain->viscosity,     &domain->linear_viscosity,
      &domain->square_viscosity, &domain->sound,       &domain->mass,          &domain->first_volume,
      &domain->volume,           &domain->new_volume,  &domain->volume_change, &domain->divergence,
      &domain->length,           &domain->gradient[0], &domain->gradient[1],   &domain->gradient[2],
      &domain->distance[0],      &domain->distance[1], &domain->distance[2]};
  for (size_t i = 0; i < sizeof of_nodes / sizeof *of_nodes; i++)
    is_there = (*of_nodes[i] = calloc(nodes, sizeof(double))) != NULL && is_there;
  for (size_t i = 0; i < sizeof of_elements / sizeof *of_elements; i++)
    is_there = (*of_elements[i] = calloc(elements, sizeof(double))) != NULL && is_there;
  for (int d = 0; d < 3; d++)
    is_there = (domain->corner_force[d] = calloc(kCorners * elements, sizeof(double))) != NULL && is_there;
  for (int face = 0; face < kFaces; face++) {
    is_there = (domain->ghosts[face] = calloc(edge * edge, sizeof(double))) != NULL && is_there;
    for (int message = 0; message < 2; message++) {
      const size_t values = (size_t)message_values(domain, (Message)message);
      is_there = (domain->outgoing[message][face] = calloc(values, sizeof(double))) != NULL && is_there;
      is_there = (domain->incoming[message][face] = calloc(values, sizeof(double))) != NULL && is_there;
    }
  }
  return is_there;
}

// The neighbours' masses of the nodes that they share, in place of forces, by messages that are waited for.
static void add_masses(Domain* domain) {
  const int nodes = domain->edge + 1, all = nodes * nodes * nodes;
  for (int node = 0; node < all; node++) domain->force[0][node] = domain->node_mass[node];
  const int values = message_values(domain, kForces);
  for (int axis = 0; axis < 3; axis++) {
    for (int face = 2 * axis; face < 2 * axis + 2; face++)
      if (domain->neighbour[face] != MPI_PROC_NULL) pack(domain, kForces, face);
    for (int face = 2 * axis; face < 2 * axis + 2; face++) {
      const int from = face ^ 1;
      MPI_Sendrecv(domain->outgoing[kForces][face], values, MPI_DOUBLE, domain->neighbour[face], 0,
                   domain->incoming[kForces][from], values, MPI_DOUBLE, domain->neighbour[from], 0,
                   MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    for (int face = 2 * axis; face < 2 * axis + 2; face++)
      if (domain->neighbour[face] != MPI_PROC_NULL) unpack(domain, kForces, face);
  }
  for (int node = 0; node < all; node++) domain->node_mass[node] = domain->force[0][node];
}

// The gas at rest, and all energy in the element at the origin; as much of it as makes the shock end at 1 m.
static void set_first_values(Domain* domain) {
  const int edge = domain->edge, nodes = edge + 1, whole = whole_edge(domain);
  for (int z = 0; z < nodes; z++) {
    for (int y = 0; y < nodes; y++) {
      for (int x = 0; x < nodes; x++) {
        const int node = (z * nodes + y) * nodes + x, place[3] = {x, y, z};
        for (int d = 0; d < 3; d++)
          domain->at[d][node] = kWholeLength * (domain->place[d] * edge + place[d]) / whole;
      }
    }
  }
  const int steps[kCorners] = {0,
                               1,
                               nodes + 1,
                               nodes,
                               nodes * nodes,
                               nodes * nodes + 1,
                               nodes * nodes + nodes + 1,
                               nodes * nodes + nodes};
  for (int z = 0; z < edge; z++) {
    for (int y = 0; y < edge; y++) {
      for (int x = 0; x < edge; x++) {
        const int element = (z * edge + y) * edge + x, first = (z * nodes + y) * nodes + x;
        Corners at;
        for (int corner = 0; corner < kCorners; corner++)
          for (int d = 0; d < 3; d++) at.of[d][corner] = domain->at[d][first + steps[corner]];
        const double volume = volume_of(&at);
        domain->first_volume[element] = volume;
        domain->mass[element] = volume;
        domain->volume[element] = 1;
        for (int corner = 0; corner < kCorners; corner++)
          domain->node_mass[first + steps[corner]] += volume / 8;
      }
    }
  }
  const double scale = (double)whole / 45;
  const double energy = 3.948746e7 * scale * scale * scale;
  if (domain->place[0] + domain->place[1] + domain->place[2] == 0) domain->energy[0] = energy;
  domain->step = 0.5 * cbrt(domain->first_volume[0]) / sqrt(2 * energy);
  domain->longest_step = 1e20;
}

int create_domain(Domain* domain, int edge, int slabs, Ranks ranks) {
  *domain = (Domain){.edge = edge, .slabs = slabs, .side = (int)lround(cbrt(ranks.count))};
  domain->place[0] = ranks.rank % domain->side;
  domain->place[1] = ranks.rank / domain->side % domain->side;
  domain->place[2] = ranks.rank / domain->side / domain->side;
  for (int face = 0; face < kFaces; face++)
    domain->neighbour[face] = rank_at(domain, face / 2, face % 2 ? 1 : -1);
  if (!holds_everywhere(allocate_all(domain))) return 0;
  set_first_values(domain);
  add_masses(domain);
  return 1;
}

void free_domain(Domain* domain) {
  for (int d = 0; d < 3; d++) {
    free(domain->at[d]);
    free(domain->velocity[d]);
    free(domain->force[d]);
    free(domain->gradient[d]);
    free(domain->distance[d]);
    free(domain->corner_force[d]);
  }
  double* const others[] = {
      domain->node_mass,    domain->energy, domain->pressure,         domain->viscosity,
      domain->sound,        domain->mass,   domain->linear_viscosity, domain->square_viscosity,
      domain->first_volume, domain->volume, domain->new_volume,       domain->volume_change,
      domain->divergence,   domain->length};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) free(others[i]);
  for (int face = 0; face < kFaces; face++) {
    free(domain->ghosts[face]);
    for (int message = 0; message < 2; message++) {
      free(domain->outgoing[message][face]);
      free(domain->incoming[message][face]);
    }
  }
}

int begin_step(Domain* domain) {
  const double kEnd = 1e-2, kLongest = 1e-2, kLeastGrowth = 1.1, kMostGrowth = 1.2;
  if (domain->time >= kEnd) return 0;
  double rest = kEnd - domain->time;
  if (domain->steps > 0) {
    const double before = domain->step;
    double step = domain->longest_step;
    const double ratio = step / before;
    if (ratio >= 1) {
      if (ratio < kLeastGrowth) step = before;
      if (ratio > kMostGrowth) step = before * kMostGrowth;
    }
    domain->step = step > kLongest ? kLongest : step;
  }
  // No tiny step at the end.
  if (rest > domain->step && rest < 4 * domain->step / 3) rest = 2 * domain->step / 3;
  if (rest < domain->step) domain->step = rest;
  domain->time += domain->step;
  domain->steps++;
  return 1;
}

int message_values(const Domain* domain, Message message) {
  const int edge = domain->edge;
  return message == kForces ? 3 * (edge + 1) * (edge + 1) : edge * edge;
}

int tag(Message message, int face) {
  return kFaces * (int)message + face;
}

int opposite(int face) {
  return face ^ 1;
}

// The first of a face's nodes or elements, of a cube with so many in each direction, and the steps along the
// face.
typedef struct FaceOf {
  int first, fast, slow;
} FaceOf;

static FaceOf face_of(int face, int count) {
  const int steps[3] = {1, count, count * count}, axis = face / 2;
  const int first = face % 2 == 0 ? 0 : (count - 1) * steps[axis];
  return (FaceOf){first, axis == 0 ? steps[1] : steps[0], axis == 2 ? steps[1] : steps[2]};
}

void pack(Domain* domain, Message message, int face) {
  double* to = domain->outgoing[message][face];
  const int count = message == kForces ? domain->edge + 1 : domain->edge;
  const FaceOf of = face_of(face, count);
  for (int d = 0; d < (message == kForces ? 3 : 1); d++) {
    const double* const from = message == kForces ? domain->force[d] : domain->gradient[face / 2];
    for (int j = 0; j < count; j++)
      for (int i = 0; i < count; i++) *to++ = from[of.first + j * of.slow + i * of.fast];
  }
}

void unpack(Domain* domain, Message message, int face) {
  const double* from = domain->incoming[message][face];
  if (message == kGradients) {
    for (int i = 0; i < domain->edge * domain->edge; i++) domain->ghosts[face][i] = from[i];
    return;
  }
  const int count = domain->edge + 1;
  const FaceOf of = face_of(face, count);
  for (int d = 0; d < 3; d++)
    for (int j = 0; j < count; j++)
      for (int i = 0; i < count; i++) domain->force[d][of.first + j * of.slow + i * of.fast] += *from++;
}
