"""Programs, and traces of them as a user takes them."""

from __future__ import annotations

import subprocess
from pathlib import Path

from command import heddle, without_openmp_settings
from heddle.patience import scaled

# Chains of tasks, a wait within a task, a lock, a loop and a range of the program's own.
PROGRAM = """
#include <heddle.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void work(double us) {
  double until = omp_get_wtime() + us * 1e-6;
  while (omp_get_wtime() < until) {}
}

int main(int count, char** words) {
  long cells[16] = {0}, total = 0;
  heddle_range_push("the whole program");
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 16; i++) cells[i] = i;
#pragma omp single
    for (int step = 0; step < 8; step++) {
      for (int i = 1; i < 16; i++) {
#pragma omp task depend(in : cells[i - 1]) depend(inout : cells[i]) shared(cells, total)
        {
          heddle_range_push("a cell");
          work(20);
          heddle_range_pop();
#pragma omp critical
          total++;
#pragma omp task
          work(10);
#pragma omp taskwait
        }
      }
#pragma omp taskwait
    }
  }
  heddle_range_pop();
  printf("%ld\\n", total);
  fflush(stdout);
  if (count > 1 && !strcmp(words[1], "abort")) abort();
  return count > 1 ? atoi(words[1]) : 0;
}
"""
TASKS = 8 * 15 * 2


def built(folder: Path, compiler: str = "gcc", *flags: str) -> Path:
    (folder / "program.c").write_text(PROGRAM)
    include = Path(__file__).resolve().parents[3] / "runtime" / "include"
    command = [compiler, "-O1", "-g", "-fopenmp", f"-I{include}", *flags, "program.c", "-o", "program"]
    subprocess.run(command, cwd=folder, check=True, timeout=scaled(60))
    return folder / "program"


def trace(folder: Path, *words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """heddle trace in that folder."""
    return heddle("trace", *words, timeout_s=600, cwd=folder, env={**without_openmp_settings(), **variables})
