"""heddle cc: transparent tasks and weak dependences, in C and C++."""

from __future__ import annotations

import pytest
from command import ROOT
from compiling import STOCK, built, cc, said, write

C_AND_CPP = """\
#include <stdio.h>
#include <unistd.h>
enum { kBlocks = 5, kSweeps = 4 };
static int x[kBlocks], y[2][kBlocks], last, began[kSweeps];
int main(void) {
#pragma omp parallel
#pragma omp single
  {
#pragma omp task default(none) shared(x) depend(out : x[0])
    {
      usleep(2000);
      x[0] = 1;
    }
    for (int s = 0; s < kSweeps; s++) {
      // All are weak: the sweep begins at once.
#pragma omp task default(none) shared(x, began) firstprivate(s) depend(iterator(int b = 0 : kBlocks), weakinout : x[b])
      {
        began[s] = x[0] == 0;
        for (int b = 0; b < kBlocks; b++)
#pragma omp task default(none) shared(x) firstprivate(b) depend(inout : x[b]) depend(in : x[b == 0 ? 0 : b - 1])
          x[b] += b == 0 ? 1 : x[b - 1];
      }
    }
    // Some are: the task waits for x[0] alone. A section stands for its first element.
#pragma omp task depend(in : x[0]) depend(weakin : x[kBlocks - 1 : 1]) \\
    depend(iterator(int i = 0 : 2), weakout : y[i][0])
    {
      if (x[0] != kSweeps + 1) printf("x[0] is %d\\n", x[0]);
#pragma omp task depend(in : x[kBlocks - 1]) depend(out : y[0][0])
      y[0][0] = x[kBlocks - 1];
#pragma omp task depend(out : y[1][0])
      y[1][0] = 2;
    }
#pragma omp task transparent
    {
#pragma omp task depend(in : y[0][0], y[1][0]) depend(out : last)
      last = y[0][0] + y[1][0];
    }
#pragma omp task transparent(kSweeps > 9 ? omp_impex : omp_not_impex) depend(inout : last) if(task : kSweeps > 1)
    last++;
#pragma omp task depend(in : last)
    printf("%d\\n", last);
  }
#ifdef TELLS
  printf("%d\\n", began[0]);
#endif
  return 0;
}
"""


def last() -> int:
    """What the program prints: its sweeps in order."""
    x = [1, 0, 0, 0, 0]
    for _ in range(4):
        for b in range(5):
            x[b] += 1 if b == 0 else x[b - 1]
    return x[4] + 2 + 1


@pytest.mark.parametrize("compiler", STOCK)
def test_children_are_ordered_with_siblings_on_every_runtime(tmp_path, compiler):
    name = "x.cpp" if "++" in compiler else "x.c"
    write(tmp_path, name, C_AND_CPP)
    program = built(tmp_path, compiler, "-fopenmp", "-Wall", "-Wextra", "-Werror", name)
    assert said(program, "heddle") == str(last())
    assert said(program, STOCK[compiler]) == str(last())


def test_weak_dependences_are_not_waited_for(tmp_path):
    write(tmp_path, "x.c", C_AND_CPP)
    program = built(tmp_path, "gcc", "-DTELLS", "-fopenmp", "x.c")
    assert said(program, "heddle").split() == [str(last()), "1"]
    assert said(program, "gnu").split() == [str(last()), "0"]


# Listing 1.10 of Pereira et al., IWOMP 2023: T4 is the rest of T2, and runs while T1 does; T3 comes after T1.
WITH_DETACH = """\
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
#include "heddle.h"
static int x, seen;
static atomic_int t4_has_run;
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : x)  // T1
    {
      while (!atomic_load(&t4_has_run)) usleep(10);
      x = 7;
    }
#pragma omp task depend(weakin : x)  // T2
    {
      omp_event_handle_t hdl = omp_task_continuation_event();
#pragma omp task firstprivate(hdl)
      omp_fulfill_event(hdl);
#pragma omp taskwait detach(hdl)
#pragma omp task depend(in : x)  // T3
      seen = x;
      atomic_store(&t4_has_run, 1);  // T4
    }
  }
  printf("%d\\n", seen);
  return 0;
}
"""


def test_a_task_with_weak_dependences_may_suspend(tmp_path):
    write(tmp_path, "x.c", WITH_DETACH)
    program = built(tmp_path, "gcc", "-fopenmp", f"-I{ROOT}/runtime/include", "x.c")
    assert said(program, "heddle") == "7"


@pytest.mark.parametrize(
    ("directive", "words"),
    [
        ("taskloop transparent", "transparent and weak dependences belong to task; on taskloop: not yet"),
        ("task transparent()", "clause 'transparent' of task needs an expression in its parentheses"),
        ("task transparent transparent", "clause 'transparent' of task is given twice"),
    ],
)
def test_what_does_not_belong_is_refused_in_one_line(tmp_path, directive, words):
    text = f"void f(void) {{\n#pragma omp {directive}\n  for (int i = 0; i < 3; i++) continue;\n}}\n"
    write(tmp_path, "x.c", text)
    result = cc(tmp_path, "gcc", "-fopenmp", "-c", "x.c")
    assert (result.returncode, result.stderr) == (2, f"x.c:2: {words}\n")


def test_fortran_is_refused(tmp_path):
    write(tmp_path, "x.f90", "!$omp task depend(weakin: x)\nx = 1\n!$omp end task\nend\n")
    result = cc(tmp_path, "gfortran", "-fopenmp", "-c", "x.f90")
    assert result.returncode == 2
    assert "in Fortran: not yet" in result.stderr
