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


def test_nothing_is_said_unasked(suspended: Path) -> None:
    assert said_by(suspended) == ""
    assert said_by(suspended, HEDDLE_LOG="none") == ""


def test_what_is_not_understood_is_named(suspended: Path) -> None:
    said = said_by(suspended, HEDDLE_LOG="stacks,x")
    assert said == "heddle: HEDDLE_LOG='stacks,x' is not none, or a list of graph, policy, stacks; using none\n"
