// Gravity between --size bodies: an iteration is a step in time. A task for each pair of --grain blocks
// adds the pull of the second on the bodies of the first, then a task for each block moves its bodies.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graphs.h"

typedef struct {
  double x, y, z;
} Vector;

static Vector *places, *speeds, *pulls, *expected;
static double* masses;
static char *placed, *pulled;  // a block's addresses in dependences
static const double kStep = 1e-3, kSoftening = 1e-2;

// Adds what the bodies from first to before end do to one at that place.
static Vector pull_of(Vector sum, Vector place, long first, long end) {
  for (long j = first; j < end; ++j) {
    const double x = places[j].x - place.x, y = places[j].y - place.y, z = places[j].z - place.z;
    const double square = x * x + y * y + z * z + kSoftening;
    const double strength = masses[j] / (square * sqrt(square));
    sum = (Vector){sum.x + strength * x, sum.y + strength * y, sum.z + strength * z};
  }
  return sum;
}

static void move_body(long i) {
  Vector *v = &speeds[i], *p = &places[i], *a = &pulls[i];
  *v = (Vector){v->x + kStep * a->x, v->y + kStep * a->y, v->z + kStep * a->z};
  *p = (Vector){p->x + kStep * v->x, p->y + kStep * v->y, p->z + kStep * v->z};
  *a = (Vector){0, 0, 0};
}

static long body_of(long block) {
  return first_of(block, work.grain, work.size);
}

static void pull_block(long block, long other) {
  for (long i = body_of(block); i < body_of(block + 1); ++i) {
    pulls[i] = pull_of(pulls[i], places[i], body_of(other), body_of(other + 1));
  }
}

static void move_block(long block) {
  for (long i = body_of(block); i < body_of(block + 1); ++i) move_body(i);
}

static void reset_nbody(void) {
  uint32_t state = 1;
  for (long i = 0; i < work.size; ++i) {
    places[i].x = drawn(&state);
    places[i].y = drawn(&state);
    places[i].z = drawn(&state);
    speeds[i] = pulls[i] = (Vector){0, 0, 0};
    masses[i] = (1 + drawn(&state)) / (double)work.size;
  }
}

static void prepare_nbody(void) {
  require_grain(work.size);
  work.tasks = work.grain * (work.grain + 1);
  places = allocated(work.size, sizeof *places);
  speeds = allocated(work.size, sizeof *speeds);
  pulls = allocated(work.size, sizeof *pulls);
  expected = allocated(work.size, sizeof *expected);
  masses = allocated(work.size, sizeof *masses);
  placed = allocated(work.grain, sizeof *placed);
  pulled = allocated(work.grain, sizeof *pulled);
  reset_nbody();
  for (long iteration = 0; iteration < work.iterations; ++iteration) {
    for (long i = 0; i < work.size; ++i) pulls[i] = pull_of(pulls[i], places[i], 0, work.size);
    for (long i = 0; i < work.size; ++i) move_body(i);
  }
  memcpy(expected, places, (size_t)work.size * sizeof *expected);
}

static void create_nbody(void) {
  for (long block = 0; block < work.grain; ++block) {
    for (long other = 0; other < work.grain; ++other) {
#pragma omp task firstprivate(block, other) depend(in : placed[block], placed[other]) \
    depend(inout : pulled[block])
      pull_block(block, other);
    }
  }
  for (long block = 0; block < work.grain; ++block) {
#pragma omp task firstprivate(block) depend(inout : placed[block], pulled[block])
    move_block(block);
  }
}

static void share_nbody(void) {
#pragma omp for schedule(static)
  for (long block = 0; block < work.grain; ++block) {
    for (long other = 0; other < work.grain; ++other) pull_block(block, other);
  }
#pragma omp for schedule(static)
  for (long block = 0; block < work.grain; ++block) move_block(block);
}

static bool verify_nbody(void) {
  return memcmp(places, expected, (size_t)work.size * sizeof *expected) == 0;
}

static void spoil_nbody(void) {
  places[work.size - 1].z += 1e-9;
}

static void finish_nbody(void) {
  free(places);
  free(speeds);
  free(pulls);
  free(expected);
  free(masses);
  free(placed);
  free(pulled);
}

const Kernel kNbody = {.name = "nbody",
                       .meaning = "gravity of --size bodies, pairs of --grain blocks",
                       .size = 1024,
                       .grain = 16,
                       .iterations = 10,
                       .prepare = prepare_nbody,
                       .reset = reset_nbody,
                       .create = create_nbody,
                       .share = share_nbody,
                       .verify = verify_nbody,
                       .spoil = spoil_nbody,
                       .finish = finish_nbody};
