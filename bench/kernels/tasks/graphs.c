// Kernels whose tasks form a graph over many addresses: a wavefront over a grid, and a random one.
#include <stdlib.h>

#include "tasks.h"

static Cell* cells;
static uint32_t* expected;
static long cell_count;

static void allocate_cells(long count) {
  prepare_slots();
  cell_count = count;
  cells = allocated(count, sizeof *cells);
  expected = allocated(count, sizeof *expected);
}

// What the cells hold now is what every repetition must leave; they start at zero again.
static void expect_cells(void) {
  for (long c = 0; c < cell_count; ++c) expected[c] = cells[c].value;
}

static void reset_graph(void) {
  reset_slots();
  for (long c = 0; c < cell_count; ++c) cells[c].value = 0;
}

static bool verify_graph(void) {
  for (long c = 0; c < cell_count; ++c) {
    if (cells[c].value != expected[c]) return false;
  }
  return every_slot_is_one();
}

static void finish_graph(void) {
  finish_slots();
  free(cells);
  free(expected);
  cells = NULL;
  expected = NULL;
}

// Gauss-Seidel: sweeps over a grid of --width times --width blocks, each after its left and its upper
// neighbour.
static Cell* block(long row, long column) {
  return &cells[row * work.width + column];
}

static void relax(long i, Cell* self, const Cell* left, const Cell* up) {
  uint32_t value = mixed(self->value, (uint32_t)i);
  if (left != NULL) value = mixed(value, left->value);
  if (up != NULL) value = mixed(value, up->value);
  self->value = value;
}

static void run_block(long i, Cell* self, const Cell* left, const Cell* up) {
  compute(work.grain);
  slots[i] += 1;
  relax(i, self, left, up);
}

// The blocks of all sweeps, in the order in which their tasks are created.
static void place(long i, Cell** self, Cell** left, Cell** up) {
  const long n = work.width;
  const long row = i / n % n, column = i % n;
  *self = block(row, column);
  *left = column > 0 ? block(row, column - 1) : NULL;
  *up = row > 0 ? block(row - 1, column) : NULL;
}

static void prepare_wavefront(void) {
  const long blocks = work.width * work.width;
  work.tasks = (work.tasks + blocks - 1) / blocks * blocks;
  allocate_cells(blocks);
  for (long i = 0; i < work.tasks; ++i) {
    Cell *self, *left, *up;
    place(i, &self, &left, &up);
    relax(i, self, left, up);
  }
  expect_cells();
}

static void create_wavefront(void) {
  for (long i = 0; i < work.tasks; ++i) {
    Cell *self, *left, *up;
    place(i, &self, &left, &up);
    if (left != NULL && up != NULL) {
#pragma omp task firstprivate(i, self, left, up) depend(in : *left, *up) depend(inout : *self)
      run_block(i, self, left, up);
    } else if (left != NULL) {
#pragma omp task firstprivate(i, self, left) depend(in : *left) depend(inout : *self)
      run_block(i, self, left, NULL);
    } else if (up != NULL) {
#pragma omp task firstprivate(i, self, up) depend(in : *up) depend(inout : *self)
      run_block(i, self, NULL, up);
    } else {
#pragma omp task firstprivate(i, self) depend(inout : *self)
      run_block(i, self, NULL, NULL);
    }
  }
}

// A random graph: each task changes one of --width cells and reads up to three others. --seed chooses the
// graph.
enum { kMostReads = 3 };
typedef struct {
  uint32_t writes, reads[kMostReads], read_count;
} Access;
static Access* accesses;

static void step(long i) {
  const Access* access = &accesses[i];
  uint32_t value = mixed(cells[access->writes].value, (uint32_t)i);
  for (uint32_t r = 0; r < access->read_count; ++r) value = mixed(value, cells[access->reads[r]].value);
  cells[access->writes].value = value;
}

static void run_step(long i) {
  compute(work.grain);
  slots[i] += 1;
  step(i);
}

// Different from the cell that the task changes and from those it reads already.
static uint32_t another_cell(const Access* access, uint32_t* state) {
  for (;;) {
    const uint32_t cell = drawn(state) % (uint32_t)work.width;
    bool taken = cell == access->writes;
    for (uint32_t r = 0; r < access->read_count; ++r) taken = taken || cell == access->reads[r];
    if (!taken) return cell;
  }
}

static void prepare_dag(void) {
  if (work.width <= kMostReads) refuse("--width %ld: dag has at least %d cells", work.width, kMostReads + 1);
  allocate_cells(work.width);
  accesses = allocated(work.tasks, sizeof *accesses);
  uint32_t state = work.seed;
  for (long i = 0; i < work.tasks; ++i) {
    Access* access = &accesses[i];
    access->writes = drawn(&state) % (uint32_t)work.width;
    const uint32_t count = drawn(&state) % (kMostReads + 1);
    while (access->read_count < count) {
      const uint32_t cell = another_cell(access, &state);
      access->reads[access->read_count++] = cell;
    }
    step(i);
  }
  expect_cells();
}

static void create_dag(void) {
  for (long i = 0; i < work.tasks; ++i) {
    const Access* access = &accesses[i];
    Cell* out = &cells[access->writes];
    Cell *a = &cells[access->reads[0]], *b = &cells[access->reads[1]], *c = &cells[access->reads[2]];
    switch (access->read_count) {
      case 0:
#pragma omp task firstprivate(i) depend(inout : *out)
        run_step(i);
        break;
      case 1:
#pragma omp task firstprivate(i) depend(in : *a) depend(inout : *out)
        run_step(i);
        break;
      case 2:
#pragma omp task firstprivate(i) depend(in : *a, *b) depend(inout : *out)
        run_step(i);
        break;
      default:
#pragma omp task firstprivate(i) depend(in : *a, *b, *c) depend(inout : *out)
        run_step(i);
    }
  }
}

static void finish_dag(void) {
  finish_graph();
  free(accesses);
  accesses = NULL;
}

const Kernel kGraphKernels[] = {
    {.name = "wavefront",
     .meaning = "Gauss-Seidel sweeps over --width squared blocks: in left, in up, inout self",
     .tasks = 16384,
     .width = 64,
     .prepare = prepare_wavefront,
     .reset = reset_graph,
     .create = create_wavefront,
     .verify = verify_graph,
     .finish = finish_graph},
    {.name = "dag",
     .meaning = "random graph over --width cells: inout on one, in on up to three, chosen by --seed",
     .tasks = 20000,
     .width = 64,
     .prepare = prepare_dag,
     .reset = reset_graph,
     .create = create_dag,
     .verify = verify_graph,
     .finish = finish_dag},
    {0}};
