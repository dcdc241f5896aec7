// Attributes are made by the runtime, or in memory of the caller's that is as large as the runtime says;
// tasks are spawned with either.
#include "support.h"

#include <omp.h>

static void spawn_with(const struct alpi_attr* attributes) {
  atomic_int bodies = 0, ends = 0;
  CHECK_SUCCESS(alpi_task_spawn(count_up, &bodies, count_up, &ends, "with attributes", attributes));
  wait_for_number(&ends, 1);
  CHECK(bodies == 1);
}

static void runtime_makes_them(void) {
  struct alpi_attr *first = NULL, *second = NULL;
  CHECK_SUCCESS(alpi_attr_create(&first));
  CHECK_SUCCESS(alpi_attr_create(&second));
  CHECK(first != NULL && second != NULL && first != second);
  spawn_with(first);
  CHECK_SUCCESS(alpi_attr_destroy(first));
  spawn_with(second);
  CHECK_SUCCESS(alpi_attr_destroy(second));
}

// Neither init nor spawn writes beyond the size.
static void caller_gives_memory(void) {
  uint64_t bytes = 0;
  CHECK_SUCCESS(alpi_attr_size(&bytes));
  CHECK(bytes > 0 && bytes < 65536);
  const size_t room = ((size_t)bytes + 127) / 64 * 64;
  unsigned char* const memory = aligned_alloc(64, room);
  CHECK(memory != NULL);
  memset(memory, 0xa5, room);
  struct alpi_attr* const attributes = (struct alpi_attr*)memory;
  CHECK_SUCCESS(alpi_attr_init(attributes));
  spawn_with(attributes);
  for (size_t i = (size_t)bytes; i < room; ++i) CHECK(memory[i] == 0xa5);
  free(memory);  // never destroyed
}

// They are read when the task is spawned and not later.
static void they_may_go_once_the_task_is_spawned(void) {
  enum { kTasks = 50 };
  atomic_int bodies = 0, ends = 0;
  for (int i = 0; i < kTasks; ++i) {
    struct alpi_attr* attributes;
    CHECK_SUCCESS(alpi_attr_create(&attributes));
    char label[] = "label of the caller's";
    CHECK_SUCCESS(alpi_task_spawn(count_up, &bodies, count_up, &ends, label, attributes));
    memset(label, 0, sizeof label);
    CHECK_SUCCESS(alpi_attr_destroy(attributes));
  }
  wait_for_number(&ends, kTasks);
  CHECK(bodies == kTasks);
}

int main(void) {
  find_alpi();
  runtime_makes_them();
  caller_gives_memory();
  they_may_go_once_the_task_is_spawned();
  CHECK(alpi_attr_create(NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_attr_init(NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_attr_size(NULL) == ALPI_ERR_PARAMETER);
  CHECK(alpi_attr_destroy(NULL) == ALPI_ERR_PARAMETER);
#pragma omp parallel
  {
#pragma omp single
    runtime_makes_them();
    caller_gives_memory();
  }
}
