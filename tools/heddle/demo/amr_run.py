"""Runs heddle-amr once and reads its results file: what the demo and the oracle tests share."""

from __future__ import annotations

import math
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import mpi, program_run, runtimes

# Table 1 of the paper (docs/papers/1-rico2019.md), and one thread's work before it.
VARIANTS = (
    "serial",
    "orig",
    "orig-dyn",
    "loop",
    "loop-dyn",
    "task-1",
    "task-2",
    "taskloop",
    "task-graph",
    "data-flow",
    "data-flow-graph",
)


def descriptions(program: Path) -> dict[str, str]:
    """What each variant is, as the program's --help says; nothing of what it does not say."""
    said = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=60, check=False).stdout
    return {name: meaning for name, meaning in program_run.offered(said, "--variant").items() if name in VARIANTS}


@dataclass
class Results:
    """One results file."""

    data: dict[str, Any]

    @property
    def checks(self) -> list[dict[str, Any]]:
        return self.data["checks"]

    @property
    def refinements(self) -> list[dict[str, Any]]:
        return self.data["refinements"]

    @property
    def seconds(self) -> float:
        return float(self.data["wall_seconds"]["total"])

    @property
    def cell_updates_per_second(self) -> float:
        return float(self.data["cell_updates_per_second"])


def run(
    program: Path,
    runtime: runtimes.Runtime,
    variant: str,
    threads: int,
    arguments: list[str],
    results: Path,
    *,
    timeout_s: float,
    ranks: int = 1,
    preset: str = "release",
) -> Results:
    """Runs the program in the folder of its results file; with several ranks, these of so many threads each.

    preset: the build that the program is of, whose mpiexec starts its ranks.

    Errors: RunFailed with the command line and the program's last words.
    """
    start = mpi.command(ranks, threads, preset) if ranks > 1 else []
    ours = ["--variant", variant, "--threads", str(threads), "--results", str(results)]
    command = [*start, str(program), *ours, *arguments]
    environ = runtimes.environment(runtime, threads)
    words = program_run.described(variant, runtime, threads)
    return Results(program_run.results_of(command, environ, results, words, timeout_s=timeout_s))


def relative_difference(mine: float, theirs: float) -> float:
    """|mine - theirs| over the larger magnitude; infinite when either is not a number."""
    if mine == theirs:
        return 0.0
    if not (math.isfinite(mine) and math.isfinite(theirs)):
        return math.inf
    return abs(mine - theirs) / max(abs(mine), abs(theirs))


def first_difference(mine: list[dict[str, Any]], theirs: list[dict[str, Any]]) -> str | None:
    """Where two checks arrays differ in any bit, in words; None when they are the same."""
    if len(mine) != len(theirs):
        return f"{len(mine)} checks against {len(theirs)}"
    for one, other in zip(mine, theirs):
        place = f"timestep {one['timestep']}, stage {one['stage']}"
        for quantity in ("timestep", "stage", "sum", "sumsq", "moment"):
            if one[quantity] != other[quantity]:
                return f"{quantity} at {place}: {one[quantity]!r} against {other[quantity]!r}"[:300]
    return None
