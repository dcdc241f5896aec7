// The parts of a step (LLNL-TR-490254, sections 1.3 to 1.5).
#include <math.h>

#include "suspension/sedov/domain.h"
#include "suspension/sedov/geometry.h"

static const double kTiny = 1e-36;

// Elements of a slab: those of its planes. [first, last)
typedef struct Range {
  int first, last;
} Range;

static Range planes_of(const Domain* domain, int slab) {
  return (Range){domain->edge * (slab - 1) / domain->slabs, domain->edge * slab / domain->slabs};
}

static Range elements_of(const Domain* domain, int slab) {
  const Range planes = planes_of(domain, slab);
  const int plane = domain->edge * domain->edge;
  return (Range){planes.first * plane, planes.last * plane};
}

static Range node_planes_of(const Domain* domain, int slab) {
  const Range planes = planes_of(domain, slab);
  return (Range){planes.first, slab == domain->slabs ? domain->edge + 1 : planes.last};
}

static int corner_node(const Domain* domain, int element, int corner) {
  static const int kOffset[kCorners][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                           {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  const int edge = domain->edge, nodes = edge + 1;
  const int x = element % edge + kOffset[corner][0], y = element / edge % edge + kOffset[corner][1],
            z = element / edge / edge + kOffset[corner][2];
  return (z * nodes + y) * nodes + x;
}

static Corners gathered(const Domain* domain, double* const* of_nodes, int element) {
  Corners corners;
  for (int corner = 0; corner < kCorners; corner++) {
    const int node = corner_node(domain, element, corner);
    for (int d = 0; d < 3; d++) corners.of[d][corner] = of_nodes[d][node];
  }
  return corners;
}

// What keeps elements from bending like an hourglass, which changes no volume and so meets no pressure:
// forces against the four patterns of velocity in which they could (Flanagan and Belytschko).
static void add_hourglass_force(const Domain* domain, int element, const Corners* at, Corners* force) {
  static const double kPatterns[4][kCorners] = {{1, 1, -1, -1, -1, -1, 1, 1},
                                                {1, -1, -1, 1, -1, 1, 1, -1},
                                                {1, -1, 1, -1, 1, -1, 1, -1},
                                                {-1, 1, -1, 1, 1, -1, 1, -1}};
  const double kCoefficient = 3.0;
  const double volume = domain->first_volume[element] * domain->volume[element];
  const Corners velocity = gathered(domain, domain->velocity, element);
  Corners derivatives;
  volume_derivatives(at, &derivatives);
  double shapes[kCorners][4];
  for (int pattern = 0; pattern < 4; pattern++) {
    double moment[3] = {0, 0, 0};
    for (int d = 0; d < 3; d++)
      for (int corner = 0; corner < kCorners; corner++)
        moment[d] += at->of[d][corner] * kPatterns[pattern][corner];
    for (int corner = 0; corner < kCorners; corner++)
      shapes[corner][pattern] = kPatterns[pattern][corner] - (derivatives.of[0][corner] * moment[0] +
                                                              derivatives.of[1][corner] * moment[1] +
                                                              derivatives.of[2][corner] * moment[2]) /
                                                                 volume;
  }
  const double coefficient =
      -kCoefficient * 0.01 * domain->sound[element] * domain->mass[element] / cbrt(volume);
  for (int d = 0; d < 3; d++) {
    double along[4] = {0, 0, 0, 0};
    for (int pattern = 0; pattern < 4; pattern++)
      for (int corner = 0; corner < kCorners; corner++)
        along[pattern] += shapes[corner][pattern] * velocity.of[d][corner];
    for (int corner = 0; corner < kCorners; corner++) {
      double sum = 0;
      for (int pattern = 0; pattern < 4; pattern++) sum += shapes[corner][pattern] * along[pattern];
      force->of[d][corner] += coefficient * sum;
    }
  }
}

void compute_forces(Domain* domain, int slab) {
  const Range elements = elements_of(domain, slab);
  for (int element = elements.first; element < elements.last; element++) {
    const Corners at = gathered(domain, domain->at, element);
    Corners normals, force;
    corner_normals(&at, &normals);
    const double stress = -domain->pressure[element] - domain->viscosity[element];
    for (int d = 0; d < 3; d++)
      for (int corner = 0; corner < kCorners; corner++) force.of[d][corner] = -stress * normals.of[d][corner];
    add_hourglass_force(domain, element, &at, &force);
    for (int d = 0; d < 3; d++)
      for (int corner = 0; corner < kCorners; corner++)
        domain->corner_force[d][kCorners * element + corner] = force.of[d][corner];
  }
}

void sum_forces(Domain* domain, int slab) {
  // Of a node the elements around it, and which of their corners it is.
  static const int kAround[kCorners][4] = {{-1, -1, -1, 6}, {0, -1, -1, 7}, {-1, 0, -1, 5}, {0, 0, -1, 4},
                                           {-1, -1, 0, 2},  {0, -1, 0, 3},  {-1, 0, 0, 1},  {0, 0, 0, 0}};
  const Range planes = node_planes_of(domain, slab);
  const int edge = domain->edge, nodes = edge + 1;
  for (int z = planes.first; z < planes.last; z++) {
    for (int y = 0; y < nodes; y++) {
      for (int x = 0; x < nodes; x++) {
        double sum[3] = {0, 0, 0};
        for (int around = 0; around < kCorners; around++) {
          const int i = x + kAround[around][0], j = y + kAround[around][1], k = z + kAround[around][2];
          if (i < 0 || i >= edge || j < 0 || j >= edge || k < 0 || k >= edge) continue;
          const int corner = kCorners * ((k * edge + j) * edge + i) + kAround[around][3];
          for (int d = 0; d < 3; d++) sum[d] += domain->corner_force[d][corner];
        }
        for (int d = 0; d < 3; d++) domain->force[d][(z * nodes + y) * nodes + x] = sum[d];
      }
    }
  }
}

void move_nodes(Domain* domain, int slab) {
  const double kSlowest = 1e-7;
  const Range planes = node_planes_of(domain, slab);
  const int nodes = domain->edge + 1;
  for (int z = planes.first; z < planes.last; z++) {
    for (int y = 0; y < nodes; y++) {
      for (int x = 0; x < nodes; x++) {
        const int node = (z * nodes + y) * nodes + x, place[3] = {x, y, z};
        for (int d = 0; d < 3; d++) {
          // The blast is an eighth of a sphere: nothing crosses the three sides at its centre.
          const int is_mirror = domain->place[d] == 0 && place[d] == 0;
          const double acceleration = is_mirror ? 0 : domain->force[d][node] / domain->node_mass[node];
          double velocity = domain->velocity[d][node] + acceleration * domain->step;
          if (fabs(velocity) < kSlowest) velocity = 0;
          domain->velocity[d][node] = velocity;
          domain->at[d][node] += velocity * domain->step;
        }
      }
    }
  }
}

// How fast the element is compressed, from the places in the middle of the step.
static double divergence_of(const Corners* at, const Corners* velocity, double step) {
  // Corners opposite to 0, 1, 2 and 3.
  static const int kOpposite[4] = {6, 7, 4, 5};
  Corners middle, derivatives;
  for (int d = 0; d < 3; d++)
    for (int corner = 0; corner < kCorners; corner++)
      middle.of[d][corner] = at->of[d][corner] - 0.5 * step * velocity->of[d][corner];
  const double inverse = 1 / shape_derivatives(&middle, &derivatives);
  double divergence = 0;
  for (int d = 0; d < 3; d++) {
    double sum = 0;
    for (int corner = 0; corner < 4; corner++)
      sum += derivatives.of[d][corner] * (velocity->of[d][corner] - velocity->of[d][kOpposite[corner]]);
    divergence += inverse * sum;
  }
  return divergence;
}

// The element's velocity differences across itself, and the distances, in its own three directions.
static void find_gradients(Domain* domain, int element, const Corners* at, const Corners* velocity,
                           double volume) {
  // The corners of the far side in each direction, then those of the near one.
  static const int kSides[3][2][4] = {
      {{1, 2, 6, 5}, {0, 3, 7, 4}}, {{3, 2, 6, 7}, {0, 1, 5, 4}}, {{4, 5, 6, 7}, {0, 1, 2, 3}}};
  double across[3][3], change[3][3];  // [own direction][direction in space]
  for (int own = 0; own < 3; own++) {
    const int *const far = kSides[own][0], *const near = kSides[own][1];
    for (int d = 0; d < 3; d++) {
      const double *const c = at->of[d], *const v = velocity->of[d];
      across[own][d] = 0.25 * ((c[far[0]] + c[far[1]] + c[far[2]] + c[far[3]]) -
                               (c[near[0]] + c[near[1]] + c[near[2]] + c[near[3]]));
      change[own][d] = 0.25 * ((v[far[0]] + v[far[1]] + v[far[2]] + v[far[3]]) -
                               (v[near[0]] + v[near[1]] + v[near[2]] + v[near[3]]));
    }
  }
  const double norm = 1 / (volume + kTiny);
  for (int own = 0; own < 3; own++) {
    const double *const a = across[(own + 1) % 3], *const b = across[(own + 2) % 3];
    double square = 0, sum = 0;
    for (int d = 0; d < 3; d++) {
      const int e = (d + 1) % 3, f = (d + 2) % 3;
      const double area = a[e] * b[f] - a[f] * b[e];
      square += area * area;
      sum += area * norm * change[own][d];
    }
    domain->distance[own][element] = volume / sqrt(square + kTiny);
    domain->gradient[own][element] = sum;
  }
}

void deform(Domain* domain, int slab) {
  const Range elements = elements_of(domain, slab);
  for (int element = elements.first; element < elements.last; element++) {
    const Corners at = gathered(domain, domain->at, element),
                  velocity = gathered(domain, domain->velocity, element);
    const double volume = volume_of(&at);
    const double relative = volume / domain->first_volume[element];
    if (!(relative > 0)) domain->has_failed[slab] = 1;
    domain->new_volume[element] = relative;
    domain->volume_change[element] = relative - domain->volume[element];
    domain->length[element] = characteristic_length(&at, volume);
    domain->divergence[element] = divergence_of(&at, &velocity, domain->step);
    find_gradients(domain, element, &at, &velocity, domain->first_volume[element] * relative);
  }
}

// The gradient of the element's neighbour in a direction: beyond the mirrors its own, beyond the far sides
// none.
static double neighbours_gradient(const Domain* domain, int element, int own, int is_far) {
  const int edge = domain->edge;
  const int place[3] = {element % edge, element / edge % edge, element / edge / edge};
  const int steps[3] = {1, edge, edge * edge};
  const int face = 2 * own + is_far;
  if (place[own] != (is_far ? edge - 1 : 0))
    return domain->gradient[own][is_far ? element + steps[own] : element - steps[own]];
  if (domain->neighbour[face] != MPI_PROC_NULL) {
    const int a = own == 0 ? place[1] : place[0], b = own == 2 ? place[1] : place[2];
    return domain->ghosts[face][b * edge + a];
  }
  return is_far ? 0 : domain->gradient[own][element];
}

// How smooth the velocity is in a direction, from 0 at a shock to 1 where there is none.
static double smoothness(const Domain* domain, int element, int own) {
  const double kMultiplier = 2, kMost = 1;
  const double norm = 1 / (domain->gradient[own][element] + kTiny);
  double near = neighbours_gradient(domain, element, own, 0) * norm;
  double far = neighbours_gradient(domain, element, own, 1) * norm;
  double result = 0.5 * (near + far);
  near *= kMultiplier;
  far *= kMultiplier;
  if (near < result) result = near;
  if (far < result) result = far;
  if (result < 0) result = 0;
  return result > kMost ? kMost : result;
}

// Artificial viscosity, in two parts: linear and square in the velocity differences.
static void find_viscosity(Domain* domain, int element) {
  const double kLinear = 0.5, kSquare = 2.0 / 3;
  double linear = 0, square = 0;
  if (domain->divergence[element] <= 0) {
    for (int own = 0; own < 3; own++) {
      const double phi = smoothness(domain, element, own);
      const double product = domain->gradient[own][element] * domain->distance[own][element];
      const double difference = product > 0 ? 0 : product;
      linear += difference * (1 - phi);
      square += difference * difference * (1 - phi * phi);
    }
    const double density =
        domain->mass[element] / (domain->first_volume[element] * domain->new_volume[element]);
    linear *= -kLinear * density;
    square *= kSquare * density;
  }
  domain->linear_viscosity[element] = linear;
  domain->square_viscosity[element] = square;
}

static const double kMostVolume = 1e9, kLeastVolume = 1e-9, kSlope = 2.0 / 3;  // kSlope: gamma - 1

static double pressure_of(double energy, double compression, double volume) {
  const double kLeast = 1e-7;
  double pressure = kSlope * (compression + 1) * energy;
  if (fabs(pressure) < kLeast) pressure = 0;
  if (volume >= kMostVolume) pressure = 0;
  return pressure < 0 ? 0 : pressure;
}

static double sound_of(double energy, double compression, double volume, double pressure) {
  const double square = kSlope * energy + volume * volume * (kSlope * (compression + 1)) * pressure;
  return square <= 0.1111111e-36 ? 0.3333333e-18 : sqrt(square);
}

// The energy after the step, in three goes, and what follows from it (LLNL-TR-490254, section 1.5.4).
static void find_energy(Domain* domain, int element) {
  const double kLeastEnergy = 1e-7, kLeastViscosity = 1e-7, kFloor = -1e15;
  double volume = domain->new_volume[element];
  if (volume < kLeastVolume) volume = kLeastVolume;
  if (volume > kMostVolume) volume = kMostVolume;
  const double change = domain->volume_change[element];
  const double linear = domain->linear_viscosity[element], square = domain->square_viscosity[element];
  const double half_volume = volume - 0.5 * change;
  double compression = 1 / volume - 1, half_compression = 1 / half_volume - 1;
  double old_pressure = domain->pressure[element];
  if (volume <= kLeastVolume) half_compression = compression;
  if (volume >= kMostVolume) {
    old_pressure = 0;
    compression = 0;
    half_compression = 0;
  }
  const double old_sum = old_pressure + domain->viscosity[element];
  double energy = fmax(domain->energy[element] - 0.5 * change * old_sum, kFloor);
  const double half_pressure = pressure_of(energy, half_compression, volume);
  const double half = 1 / (1 + half_compression);
  const int expands = change > 0;
  double viscosity = expands ? 0 : sound_of(energy, half_compression, half, half_pressure) * linear + square;
  energy += 0.5 * change * (3 * old_sum - 4 * (half_pressure + viscosity));
  if (fabs(energy) < kLeastEnergy) energy = 0;
  energy = fmax(energy, kFloor);

  double pressure = pressure_of(energy, compression, volume);
  const double tried = expands ? 0 : sound_of(energy, compression, volume, pressure) * linear + square;
  energy -= (7 * old_sum - 8 * (half_pressure + viscosity) + (pressure + tried)) * change / 6;
  if (fabs(energy) < kLeastEnergy) energy = 0;
  energy = fmax(energy, kFloor);

  pressure = pressure_of(energy, compression, volume);
  const double sound = sound_of(energy, compression, volume, pressure);
  if (!expands) {
    viscosity = sound * linear + square;
    if (fabs(viscosity) < kLeastViscosity) viscosity = 0;
  }
  domain->energy[element] = energy;
  domain->pressure[element] = pressure;
  domain->viscosity[element] = viscosity;
  domain->sound[element] = sound;
}

static void find_limits(Domain* domain, int element, TimeLimits* limits) {
  const double kSquare = 64 * 2.0 * 2.0, kMostChange = 0.1;
  const double divergence = domain->divergence[element], length = domain->length[element];
  if (divergence == 0) return;
  double square = domain->sound[element] * domain->sound[element];
  if (divergence < 0) square += kSquare * length * length * divergence * divergence;
  limits->courant = fmin(limits->courant, length / sqrt(square));
  limits->volume = fmin(limits->volume, kMostChange / (fabs(divergence) + 1e-20));
}

void update_elements(Domain* domain, int slab) {
  const double kMostViscosity = 1e12, kLeastChange = 1e-10;
  const Range elements = elements_of(domain, slab);
  TimeLimits limits = {1e20, 1e20};
  for (int element = elements.first; element < elements.last; element++) {
    find_viscosity(domain, element);
    if (domain->viscosity[element] > kMostViscosity) domain->has_failed[slab] = 1;
    find_energy(domain, element);
    const double volume = domain->new_volume[element];
    domain->volume[element] = fabs(volume - 1) < kLeastChange ? 1 : volume;
    find_limits(domain, element, &limits);
  }
  domain->limits[slab] = limits;
}

void find_longest_step(Domain* domain) {
  TimeLimits limits = {1e20, 1e20};
  for (int slab = 1; slab <= domain->slabs; slab++) {
    limits.courant = fmin(limits.courant, domain->limits[slab].courant);
    limits.volume = fmin(limits.volume, domain->limits[slab].volume);
  }
  domain->longest_step = 1e20;
  if (limits.courant < domain->longest_step) domain->longest_step = limits.courant / 2;
  if (limits.volume < domain->longest_step) domain->longest_step = limits.volume * 2 / 3;
}
