"""heddle cc: tasks that replayable(e) leaves out of the record, in C, C++ and Fortran."""

from __future__ import annotations

import re

import pytest
from compiling import STOCK, built, said, write

# What the tasks add where even ones are left out of the record, and where there is none.
RECORDED = [0, 1, 2, 3, 5] + 4 * [1, 3, 5]
EVERY_TIME = 5 * [0, 1, 2, 3, 5]


def summed(steps: list[int]) -> int:
    """What a chain of tasks that double and add gives."""
    total = 0
    for i in steps:
        total = total * 2 + i
    return total


C_AND_CPP = """\
#include <stdio.h>
#define LEFT(n) ((n) % 2 == 0)
int main(void) {
  int sum = 0, cells[100] = {0}, executed = 0;
#pragma omp parallel default(none) shared(sum, cells, executed)
#pragma omp single
  for (int t = 0; t < 5; t++) {
#pragma omp taskgraph
    {
      for (int i = 0; i < 6; i++)
        if (i != 4)
#pragma omp task default(none) shared(sum) firstprivate(i) depend(inout : sum), replayable(!LEFT(i)) if (i < 5)
          sum = sum * 2 + i;
#pragma omp taskloop simd replayable(0), default(none) shared(cells)
      for (int i = 0; i < 100; i++) cells[i]++;
#pragma omp task shared(executed) replayable(cells[0] >= 0)
      executed++;
    }
  }
  printf("%d %d %d\\n", sum, cells[99], executed);
  return 0;
}
"""


@pytest.mark.parametrize("compiler", STOCK)
def test_tasks_that_are_not_replayable_are_left_out_of_the_record(tmp_path, compiler):
    name = "x.cpp" if "++" in compiler else "x.c"
    write(tmp_path, name, C_AND_CPP)
    program = built(tmp_path, compiler, "-fopenmp", "-Wall", "-Wextra", "-Wpedantic", "-Werror", name)
    assert said(program, "heddle") == f"{summed(RECORDED)} 1 5"
    assert said(program, STOCK[compiler]) == f"{summed(EVERY_TIME)} 5 5"


FORTRAN = """\
program left
  implicit none
  integer :: sum, i, t
  sum = 0
  !$omp parallel default(none) shared(sum) private(i, t)
  !$omp single
  do t = 1, 5
    !$omp taskgraph
    do i = 0, 5
      if (i /= 4) then
        !$omp task shared(sum) firstprivate(i) &
        !$omp & depend(inout: sum) replayable(mod(i, 2) == 1)
        sum = sum * 2 + i
        !$omp end task
      end if
    end do
    !$omp end taskgraph
  end do
  !$omp end single
  !$omp end parallel
  print '(i0)', sum
end program
"""


@pytest.mark.parametrize("name", ["x.f90", "x.f"])
def test_fortran_tasks_that_are_not_replayable_are_left_out(tmp_path, name):
    text = FORTRAN
    if name == "x.f":
        text = text.replace(" &\n", "\n")
        text = re.sub(r"^ *(?!\$omp|!)(?=\w)", "      ", text, flags=re.MULTILINE)
        text = re.sub(r"^ *!\$omp &", "!$omp&", text, flags=re.MULTILINE)
        text = re.sub(r"^ *!\$omp ", "!$omp ", text, flags=re.MULTILINE)
    write(tmp_path, name, text)
    program = built(tmp_path, "gfortran", "-Wall", "-Wextra", "-Werror", "-fopenmp", name)
    assert said(program, "heddle") == str(summed(RECORDED))
    assert said(program, "gnu") == str(summed(EVERY_TIME))
