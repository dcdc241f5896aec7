"""heddle race: planted races are found, what OpenMP orders is none; programs of GCC and of Clang."""

import subprocess
from pathlib import Path

import pytest
from command import ROOT, assert_one_line, heddle
from heddle import clang

# Tasks long enough for both threads to get some.
_PROGRAM = """
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int chained = 0, shared = 0, sum = 0, guarded = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp single
    for (int i = 0; i < 40; i++) {
#pragma omp task depend(inout : chained)
      { chained++; usleep(100); }
#ifdef NO_DEPEND
#pragma omp task
#else
#pragma omp task depend(inout : shared)
#endif
      { usleep(100); shared++; }
    }
#pragma omp critical
    guarded++;
#ifdef NO_REDUCTION
#pragma omp for
#else
#pragma omp for reduction(+ : sum)
#endif
    for (int i = 0; i < 1000; i++) sum += i;
#pragma omp taskgroup
    {
#pragma omp task
      {
#pragma omp atomic
        guarded++;
      }
    }
#pragma omp barrier
    if (guarded != 8) printf("wrong\\n");
  }
  return chained + shared == 80 ? 0 : 1;
}
"""
# Replayed: the tasks behind the wait come after those before it, and both of them after each other only with depend.
_TASKGRAPH = """
#include <stdio.h>
#include <unistd.h>
#include "heddle.h"

static int written, seen[16], shared;

int main(void) {
  int bodies = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int round = 0; round < 8; round++) {
    HEDDLE_TASKGRAPH() {
      bodies++;
#pragma omp task depend(out : written)
      { written++; usleep(100); }
      for (int i = 0; i < 16; i++)
#pragma omp task depend(in : written) firstprivate(i)
        seen[i] = written;
#pragma omp taskwait
      for (int i = 0; i < 4; i++)
#ifdef NO_DEPEND
#pragma omp task
#else
#pragma omp task depend(inout : shared)
#endif
      { shared += seen[3] > 0; usleep(1000); }
    }
  }
  return bodies == 1 && written == 8 ? 0 : 1;
}
"""
_REUSE = (Path(__file__).parent / "data" / "reuse.c").read_text()
_COMPILERS = {"gcc": "gcc", "clang": clang.c()}
_FOUND = 66  # ThreadSanitizer's status


@pytest.fixture(params=_COMPILERS)
def build(request, tmp_path):
    def build(*macros: str, sanitizer: str = "-fsanitize=thread", text: str = _PROGRAM):
        source = tmp_path / "program.c"
        source.write_text(text)
        program = tmp_path / "program"
        flags = ["-g", "-O1", "-fopenmp", *([sanitizer] if sanitizer else []), *(f"-D{macro}" for macro in macros)]
        flags.append(f"-I{ROOT / 'runtime' / 'include'}")
        subprocess.run([_COMPILERS[request.param], *flags, source, "-o", program], check=True)
        return program

    return build


def test_what_openmp_orders_is_no_race(build):
    program = build()
    for _ in range(3):
        result = heddle("race", "--threads", "4", "--", program)
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_replayed_tasks_are_told_apart_from_those_that_race(build):
    program = build(text=_TASKGRAPH)
    for _ in range(3):
        result = heddle("race", "--threads", "4", "--", program)
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    result = heddle("race", "--threads", "4", "--", build("NO_DEPEND", text=_TASKGRAPH))
    assert result.returncode == _FOUND, result.stderr
    assert "data race" in result.stderr


@pytest.mark.parametrize("race", ["NO_DEPEND", "NO_REDUCTION"])
def test_planted_races_are_found(build, race):
    result = heddle("race", "--threads", "4", "--", build(race))
    assert result.returncode == _FOUND, result.stderr
    assert "WARNING: ThreadSanitizer: data race" in result.stderr


# tests/systems/sources/data/reuse.c: each way, with its race and without. More runs were made by hand.
_WAYS = range(10)


def test_memory_of_tasks_that_serves_anew_is_no_race(build):
    result = heddle("race", "--threads", "4", "--", build(text=_REUSE))
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_races_of_tasks_whose_memory_serves_anew_are_found(build):
    program = build("RACE", text=_REUSE)

    def is_found(way: int) -> bool:
        # Where one thread happens to execute all tasks of a run there is no race in it.
        runs = (heddle("race", "--threads", "4", "--", program, str(way)).returncode for _ in range(4))
        return any(status == _FOUND for status in runs)

    assert [way for way in _WAYS if is_found(way)] == list(_WAYS)


def test_a_program_without_the_sanitizer_is_refused(build):
    result = heddle("race", "--", build(sanitizer=""))
    assert_one_line(result, "was not built with ThreadSanitizer")


def test_a_script_is_refused(tmp_path):
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    assert_one_line(heddle("race", "--", script), "is a script")
