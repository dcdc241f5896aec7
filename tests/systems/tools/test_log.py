"""HEDDLE_LOG: what the runtime says of itself where it is asked to."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from command import ROOT, heddle, without_openmp_settings
from heddle.patience import scaled
from programs import build

# All tasks are suspended at once; each has touched 20 pages of its stack.
SUSPENDED = """
#include <heddle.h>
#include <omp.h>
enum { kTasks = 30 };
static omp_event_handle_t events[kTasks];
int main(void) {
#pragma omp parallel num_threads(1)
  {
    for (int i = 0; i < kTasks; i++) {
#pragma omp task firstprivate(i)
      {
        volatile char pages[20 * 4096];
        for (int k = 0; k < 20; k++) pages[k * 4096] = 1;
        events[i] = omp_task_continuation_event();
        omp_taskwait_detach(events[i]);
      }
    }
    for (int i = 0; i < kTasks; i++) {
      while (events[i] == 0) {
#pragma omp taskyield
      }
      omp_fulfill_event(events[i]);
    }
  }
  return 0;
}
"""


@pytest.fixture(scope="module")
def suspended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("log"), SUSPENDED, "gcc", f"-I{ROOT / 'runtime' / 'include'}")


def said_by(program: Path, **variables: str) -> str:
    environ = {**without_openmp_settings(), "LD_LIBRARY_PATH": heddle("path", "shims").stdout.strip(), **variables}
    run = subprocess.run([program], env=environ, capture_output=True, text=True, check=True, timeout=scaled(60))
    return run.stderr


@pytest.mark.parametrize("subjects", ["stacks", "graph, stacks"])
def test_stacks_are_reported_at_the_end(suspended: Path, subjects: str) -> None:
    said = said_by(suspended, HEDDLE_LOG=subjects, OMP_STACKSIZE="1M")
    report = re.fullmatch(
        r"heddle: stacks of suspended tasks: (\d+) at once, of 1024 KiB; each took ([\d.]+) KiB of memory on average,"
        r" the deepest used (\d+) KiB\n",
        said,
    )
    assert report, said
    assert 30 <= int(report[1]) <= 32
    assert 70 <= float(report[2]) <= 90
    assert 80 <= int(report[3]) <= 96


# 300 tasks of one construct, 200 of another, with dependences.
PLACED = """
int main(int count, char** arguments) {
  static char data[8];
#pragma omp parallel num_threads(count)
#pragma omp single
  {
    for (int i = 0; i < 300; i++) {
#pragma omp task
      __asm__ volatile("");
    }
    for (int i = 0; i < 200; i++) {
#pragma omp task depend(inout: data[i % 8])
      data[i % 8]++;
    }
  }
  return 0;
}
"""


def placed(program: Path, threads: int, **variables: str) -> list[dict[str, int]]:
    """The lines of HEDDLE_LOG=policy, in the order of the constructs: reason -> how many."""
    environ = {**without_openmp_settings(), "LD_LIBRARY_PATH": heddle("path", "shims").stdout.strip(), **variables}
    command = [program, *["x"] * (threads - 1)]
    environ["HEDDLE_LOG"] = "policy"
    run = subprocess.run(command, env=environ, capture_output=True, text=True, check=True, timeout=scaled(60))
    lines = [line.split(": ", 2) for line in run.stderr.splitlines()]
    assert all(line[:2] == ["heddle", "policy"] for line in lines), run.stderr
    counted = [re.findall(r"(\d+) ([a-z ]+)", line[2].split(": ")[1]) for line in lines]
    return [{reason: int(count) for count, reason in counts} for counts in counted]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_decisions_are_counted_by_construct_and_reason(tmp_path: Path, compiler: str) -> None:
    program = build(tmp_path, PLACED, compiler, "-g")
    assert placed(program, 1) == [{"team of one": 300}, {"team of one": 200}]
    plain, dependent = placed(program, 2, HEDDLE_WITHOUT="serial")
    assert sum(plain.values()) == 300 and set(plain) <= {"shared", "queue full"}
    assert dependent["registered first"] == 200 and "serial creation" not in dependent
    assert placed(program, 1, HEDDLE_THROTTLE="hold")[0] == {"a reason to queue all": 600}  # and when it is ready


def test_nothing_is_said_unasked(suspended: Path) -> None:
    assert said_by(suspended) == ""
    assert said_by(suspended, HEDDLE_LOG="none") == ""


def test_what_is_not_understood_is_named(suspended: Path) -> None:
    said = said_by(suspended, HEDDLE_LOG="stacks,x")
    assert said == "heddle: HEDDLE_LOG='stacks,x' is not none, or a list of graph, policy, stacks; using none\n"
