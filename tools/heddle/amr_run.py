"""Runs heddle-amr once and reads its results file: what the demo and the oracle tests share."""

from __future__ import annotations

import json
import math
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import mpi, patience, runtimes

# Table 1 of the paper (docs/papers/1-rico2019.md), and one thread's work before it.
VARIANTS = (
    "serial",
    "orig",
    "orig-dyn",
    "loop",
    "loop-dyn",
    "task-1",
    "task-2",
    "task-graph",
    "data-flow",
    "data-flow-graph",
)


def descriptions(program: Path) -> dict[str, str]:
    """What each variant is, as the program's --help says; nothing of what it does not say."""
    said = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=60, check=False).stdout
    found = re.findall(r"^ +([a-z0-9-]+) +(\S.*)$", said.partition("--variant NAME")[2], re.MULTILINE)
    return {name: meaning for name, meaning in found if name in VARIANTS}


class RunFailed(Exception):
    """heddle-amr ended with another status than 0, took too long, or left no results."""


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
    results.unlink(missing_ok=True)
    limit_s = patience.scaled(timeout_s)
    try:
        process = subprocess.run(
            command,
            cwd=results.parent,
            env=environ,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=limit_s,
        )
    except subprocess.TimeoutExpired:
        raise RunFailed(f"{described(variant, runtime, threads)} did not end in {limit_s:.0f} s") from None
    if process.returncode != 0:
        words = (process.stderr.strip() or process.stdout.strip() or "it said nothing").splitlines()[-1]
        raise RunFailed(f"{described(variant, runtime, threads)} ended with status {process.returncode}: {words}")
    try:
        return Results(json.loads(results.read_text(encoding="utf-8")))
    except (OSError, ValueError) as error:
        raise RunFailed(f"{described(variant, runtime, threads)} left no readable results: {error}") from None


def described(variant: str, runtime: runtimes.Runtime, threads: int) -> str:
    """A run in words: 'task-2 on libomp 19 with 2 threads'."""
    return f"{variant} on {runtime.title} with {threads} thread{'s' if threads > 1 else ''}"


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
