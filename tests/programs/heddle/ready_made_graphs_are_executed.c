// Graphs that the program hands over: in order, by several threads, again and again, from explicit tasks,
// several at once, and with tasks that leave children behind.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "heddle.h"

enum { kSide = 24, kTasks = kSide * kSide, kRounds = 8 };

// A wavefront: each cell is the sum of those above and to the left, so 1 has a way to every cell.
typedef struct cell_t {
  struct grid_t* grid;
  int i, j;
} cell_t;
typedef struct grid_t {
  double ways[kSide][kSide];
  int executed[kSide][kSide];
  cell_t cells[kTasks];
} grid_t;

static void add(void* data) {
  const cell_t* const cell = data;
  grid_t* const grid = cell->grid;
  const int i = cell->i, j = cell->j;
  grid->ways[i][j] = (i > 0 ? grid->ways[i - 1][j] : 0) + (j > 0 ? grid->ways[i][j - 1] : 0) + (i + j == 0);
  grid->executed[i][j]++;
}

// Its tasks stand in the opposite of their order: edges lead downwards.
static int number(int i, int j) {
  return kTasks - 1 - (i * kSide + j);
}

static heddle_graph_t wavefront(grid_t* grid) {
  static heddle_graph_task_t tasks[kTasks];
  static size_t first[kTasks + 1], successors[2 * kTasks];
  for (int n = 0, edges = 0; n < kTasks; n++) {
    const int i = (kTasks - 1 - n) / kSide, j = (kTasks - 1 - n) % kSide;
    grid->cells[n] = (cell_t){grid, i, j};
    tasks[n] = (heddle_graph_task_t){add, &grid->cells[n], 0};
    if (i + 1 < kSide) successors[edges++] = (size_t)number(i + 1, j);
    if (j + 1 < kSide) successors[edges++] = (size_t)number(i, j + 1);
    first[n + 1] = (size_t)edges;
  }
  const heddle_graph_t graph = heddle_make_graph(kTasks, tasks, first, successors);
  for (int n = 0; n < kTasks; n++) tasks[n].run = NULL;  // copied
  return graph;
}

static void check(const grid_t* grid, int executions) {
  double expected[kSide][kSide];
  for (int i = 0; i < kSide; i++) {
    for (int j = 0; j < kSide; j++) {
      expected[i][j] = i * j == 0 ? 1 : expected[i - 1][j] + expected[i][j - 1];
      CHECK(grid->ways[i][j] == expected[i][j]);
      CHECK(grid->executed[i][j] == executions);
    }
  }
}

static void from_serial_code_and_from_regions(void) {
  static grid_t grid;
  const heddle_graph_t graph = wavefront(&grid);
  CHECK(graph != NULL);
  heddle_execute_graph(graph);
  check(&grid, 1);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) heddle_execute_graph(graph);
  check(&grid, 1 + kRounds);
#pragma omp parallel
#pragma omp single
#pragma omp task final(1)
  heddle_execute_graph(graph);
  check(&grid, 2 + kRounds);
  heddle_free_graph(graph);
}

static void from_explicit_tasks(void) {
  static grid_t grids[4];
  heddle_graph_t graphs[4];
  for (int g = 0; g < 4; g++) graphs[g] = wavefront(&grids[g]);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++)
    for (int g = 0; g < 4; g++)
#pragma omp task depend(inout : grids[g])
      heddle_execute_graph(graphs[g]);
  for (int g = 0; g < 4; g++) {
    check(&grids[g], kRounds);
    heddle_free_graph(graphs[g]);
  }
}

static int visits;

static void visit(void* data) {
#pragma omp atomic
  *(int*)data += 1;
}

static void several_executions_at_once(void) {
  const heddle_graph_task_t tasks[] = {{visit, &visits, 0}, {visit, &visits, 3}, {visit, &visits, 0}};
  const size_t first[] = {0, 2, 2, 2}, successors[] = {1, 2};
  const heddle_graph_t graph = heddle_make_graph(3, tasks, first, successors);
  int threads = 0;
  visits = 0;
#pragma omp parallel reduction(+ : threads)
  {
    threads++;
    for (int round = 0; round < kRounds; round++) heddle_execute_graph(graph);
  }
  CHECK(visits == 3 * threads * kRounds);
  heddle_free_graph(graph);
}

// What the graph's last task sees of a child of its first: nothing is promised but at the graph's end.
static void leave_a_child(void* data) {
  int* const sum = data;
#pragma omp task firstprivate(sum)
  {
#pragma omp atomic
    *sum += 1;
  }
}

static void nest(void* data) {
  heddle_execute_graph(*(heddle_graph_t*)data);
}

static void tasks_may_create_others_and_execute_graphs(void) {
  int sum = 0;
  heddle_graph_task_t inner_tasks[20];
  size_t inner_first[21] = {0}, inner_successors[19];
  for (size_t i = 0; i < 20; i++) {
    inner_tasks[i] = (heddle_graph_task_t){leave_a_child, &sum, 0};
    if (i < 19) inner_successors[i] = i + 1;
    inner_first[i + 1] = i < 19 ? i + 1 : 19;
  }
  heddle_graph_t inner = heddle_make_graph(20, inner_tasks, inner_first, inner_successors);
  const heddle_graph_task_t outer_tasks[] = {{nest, &inner, 0}, {nest, &inner, 0}, {leave_a_child, &sum, 0}};
  const size_t outer_first[] = {0, 0, 0, 0};
  const heddle_graph_t outer = heddle_make_graph(3, outer_tasks, outer_first, NULL);
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= kRounds; round++) {
    heddle_execute_graph(outer);
    CHECK(sum == 41 * round);
  }
  heddle_free_graph(outer);
  heddle_free_graph(inner);
}

static void a_region_that_executes_one_is_not_recorded(void) {
  const heddle_graph_task_t task = {visit, &visits, 0};
  const size_t first[] = {0, 0};
  const heddle_graph_t graph = heddle_make_graph(1, &task, first, NULL);
  int before = 0;
  visits = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < kRounds; round++) {
    HEDDLE_TASKGRAPH() {
#pragma omp task shared(before)
#pragma omp atomic
      before++;
      heddle_execute_graph(graph);
    }
  }
  CHECK(visits == kRounds && before == kRounds);
  heddle_free_graph(graph);
}

static void what_is_no_graph_is_refused(void) {
  const heddle_graph_task_t tasks[] = {{visit, &visits, 0}, {visit, &visits, 0}};
  const size_t first[] = {0, 1, 2}, cycle[] = {1, 0};
  const heddle_graph_t graph = heddle_make_graph(2, tasks, first, cycle);
  CHECK(graph == NULL);
  CHECK(heddle_make_graph((size_t)1 << 60, tasks, first, cycle) == NULL);
  CHECK(heddle_make_graph((size_t)-1, tasks, first, cycle) == NULL);
  CHECK(heddle_make_graph(2, tasks, first, NULL) == NULL);
  CHECK(heddle_make_graph(2, tasks, NULL, cycle) == NULL);
  CHECK(heddle_make_graph(2, NULL, first, cycle) == NULL);
  visits = 0;
  heddle_execute_graph(graph);
  heddle_free_graph(graph);
  const heddle_graph_t empty = heddle_make_graph(0, NULL, NULL, NULL);
  CHECK(empty != NULL);
  heddle_execute_graph(empty);
  heddle_free_graph(empty);
  CHECK(visits == 0);
}

// In another process, whose settings are its own.
static void again_with(const char* program, const char* name, const char* value) {
  char command[4096];
  snprintf(command, sizeof command, "%s=%s HEDDLE_TEST_ONCE=1 '%s'", name, value, program);
  CHECK(system(command) == 0);
}

int main(int count, char** arguments) {
  CHECK(count == 1);
  from_serial_code_and_from_regions();
  from_explicit_tasks();
  several_executions_at_once();
  tasks_may_create_others_and_execute_graphs();
  a_region_that_executes_one_is_not_recorded();
  what_is_no_graph_is_refused();
  if (getenv("HEDDLE_TEST_ONCE") == NULL) {
    again_with(arguments[0], "OMP_CANCELLATION", "true");
    again_with(arguments[0], "HEDDLE_GRAPH_LOG", "/dev/null");
  }
  return 0;
}
