// With OMP_PLACES and OMP_PROC_BIND every thread runs on the processors of its place and nowhere else;
// without, on what the process may use (OpenMP 5.2, sections 10.1.3 and 18.3).
#ifndef _GNU_SOURCE
#  define _GNU_SOURCE
#endif
#include <omp.h>
#include <sched.h>
#include <string.h>

#include "check.h"
#include "rerun.h"

static void check_place(void) {
  const int place = omp_get_place_num();
  CHECK(place >= 0 && place < omp_get_num_places());
  int ids[CPU_SETSIZE];
  const int count = omp_get_place_num_procs(place);
  CHECK(count > 0 && count <= CPU_SETSIZE);
  omp_get_place_proc_ids(place, ids);
  cpu_set_t mine;
  CHECK(sched_getaffinity(0, sizeof mine, &mine) == 0);
  CHECK(CPU_COUNT(&mine) == count);
  for (int i = 0; i < count; ++i) CHECK(CPU_ISSET((size_t)ids[i], &mine));
}

static void bound(void) {
  CHECK(omp_get_num_places() > 0);
  CHECK(omp_get_proc_bind() == omp_proc_bind_spread);
  CHECK(omp_get_partition_num_places() == omp_get_num_places());
  check_place();
  for (int repeat = 0; repeat < 3; ++repeat) {
#pragma omp parallel num_threads(4)
    {
      check_place();
      CHECK(omp_get_partition_num_places() >= 1);
    }
#pragma omp parallel num_threads(3) proc_bind(master)
    {
      check_place();
      CHECK(omp_get_place_num() == 0);
    }
#pragma omp parallel num_threads(2) proc_bind(close)
    check_place();
  }
}

static void unbound(void) {
  CHECK(omp_get_num_places() == 0 && omp_get_place_num() == -1);
  cpu_set_t before, inside;
  CHECK(sched_getaffinity(0, sizeof before, &before) == 0);
#pragma omp parallel num_threads(3) private(inside) proc_bind(close)
  {
    CHECK(sched_getaffinity(0, sizeof inside, &inside) == 0);
    CHECK(CPU_EQUAL(&before, &inside));
    CHECK(omp_get_place_num() == -1);
  }
}

static void run(const char* variables, const char* mode) {
  const rerun_result* result = rerun(variables, mode);
  if (result->status != 0) printf("%s %s", variables, result->output);
  CHECK(result->status == 0);
}

int main(int argc, char** argv) {
  if (argc == 1) {
    run("OMP_PLACES=threads OMP_PROC_BIND=spread", "bound");
    run("OMP_PLACES=cores OMP_PROC_BIND=spread", "bound");
    run("OMP_PLACES=sockets OMP_PROC_BIND=spread", "bound");
    run("OMP_PROC_BIND=spread", "bound");
    run("OMP_PROC_BIND=false OMP_PLACES=threads", "unbound");
    run("OMP_PROC_BIND=false", "unbound");
  } else if (strcmp(argv[1], "bound") == 0) {
    bound();
  } else {
    unbound();
  }
  return 0;
}
