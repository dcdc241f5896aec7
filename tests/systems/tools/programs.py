"""Small OpenMP programs that the tests compile when they need one."""

from __future__ import annotations

import subprocess
from pathlib import Path

from heddle import clang

TEAM_SIZE = """
#include <omp.h>
#include <stdio.h>
int main(void) {
  int threads = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  printf("%d\\n", threads);
  return 0;
}
"""

DETACH = """
#include <omp.h>
int main(void) {
  int done = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(done)
    {
      done = 1;
      omp_fulfill_event(event);
    }
  }
  return !done;
}
"""

NO_OPENMP = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) printf("[%s]", argv[i]);
  if (argc > 1 && argv[1][0] == '!') raise(SIGUSR1);
  return argc > 2 ? atoi(argv[2]) : 0;
}
"""

LIBRARY = """
#include <omp.h>
int team_size(void) {
  int threads = 0;
#pragma omp parallel
#pragma omp single
  threads = omp_get_num_threads();
  return threads;
}
"""

LIBRARY_USER = """
#include <stdio.h>
int team_size(void);
int main(void) { printf("%d\\n", team_size()); return 0; }
"""

COMPILERS = {"gcc": "gcc", "clang": clang.c()}


def build(
    folder: Path, source: str, compiler: str = "gcc", *flags: str, name: str = "program", openmp: bool = True
) -> Path:
    """Compiles the source in the folder and returns the program."""
    file = folder / f"{name}.c"
    file.write_text(source)
    program = folder / name
    extra = ["-fopenmp"] if openmp else []
    subprocess.run([COMPILERS[compiler], "-O1", *extra, str(file), "-o", str(program), *flags], check=True)
    return program
