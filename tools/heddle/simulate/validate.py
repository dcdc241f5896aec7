"""Simulated against measured times on this machine: programs of every kind, on one thread and two.

Each program is run untraced, with one thread and two in turn, and the median of its times, less what it takes to start,
is what a simulation should say. It is traced with one thread and with two, and from either trace both are simulated.
"""

from __future__ import annotations

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import paths, toolchain
from heddle.errors import UserError
from heddle.simulate import calibrate, quiet, session
from heddle.trace import running

THREADS = (1, 2)
ROUNDS = 7

HEAD = """\
                            measured, s        simulated / measured
                            1 thr.   2 thr.   traced with 1  traced with 2
program               tasks                    1 thr. 2 thr.  1 thr. 2 thr."""

_AMR = (
    "heddle-amr --num_tsteps 6 --stages_per_ts 10 --init_x 2 --init_y 2 --init_z 2 --nx 12 --ny 12 --nz 12 "
    "--num_vars 20 --max_blocks 2000 --num_refine 2 --num_objects 1 --object 2 0 0.5 0.5 0.5 0.02 0.02 0.02 "
    "0.2 0.2 0.2 0 0 0 --variant"
)
_WAVE = "heddle-wave --problem shock-bubble --volumes 32 --time 0.02 --exec"
_TASKS, _GRAPHS = "tasks {} --repetitions 4", "graphs {} --form {} --repetitions 1"


@dataclass(frozen=True)
class Case:
    """A program, and how to start it so that it does nothing."""

    name: str
    command: str
    nothing: str


def _cases() -> Iterator[Case]:
    for variant in ("loop", "loop-dyn", "task-1", "task-2", "data-flow"):
        yield Case(f"amr {variant}", f"{_AMR} {variant}", "heddle-amr --help")
    for model in ("serial", "bsp", "enclave", "data-flow"):
        yield Case(f"wave {model}", f"{_WAVE} {model}", "heddle-wave --help")
    for kernel in (
        "independent --tasks 20000 --grain 10000",
        "fib --size 28",
        "nqueens --size 11",
        "wavefront --width 32 --grain 3000",
        "dag --tasks 20000 --grain 5000",
        "stencil --grain 5000",
        "nested --grain 3000",
        "sweeps",
        "mixed-late",
    ):
        yield Case(kernel.split()[0], _TASKS.format(kernel), "tasks --list")
    for kernel in ("heat", "nbody", "cholesky"):
        for form in ("tasks", "loops"):
            yield Case(f"{kernel} {form}", _GRAPHS.format(kernel, form), "graphs --list")


@dataclass
class Row:
    """Of one case. measured: by threads, s. simulated: by threads of the trace and threads, s."""

    name: str
    measured: dict[int, float]
    simulated: dict[tuple[int, int], float]
    tasks: int


def validate(out: Path, names: list[str]) -> list[Row]:
    """Runs, traces and simulates the cases, all without names; prints the table and writes it as JSON.

    Errors: UserError for an unknown name; CheckFailed where a program fails.
    """
    cases = list(_cases())
    for name in names:
        if name not in [case.name for case in cases]:
            raise UserError(f"there is no case '{name}'; there are {', '.join(case.name for case in cases)}")
    toolchain.build("release", ["heddle", "heddle-amr", "heddle-wave", "tasks", "graphs", "heddle-simulate"])
    costs = calibrate.measure(calibrate.KEPT)
    rows = []
    print(HEAD)
    for case in cases:
        if not names or case.name in names:
            rows.append(_row(case, costs))
            print(line(rows[-1]), flush=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(json.dumps({"costs": costs, "rows": [_json(row) for row in rows]}, indent=1) + "\n")
    return rows


def _json(row: Row) -> dict[str, Any]:
    simulated = {f"traced with {traced}, {threads} threads": s for (traced, threads), s in row.simulated.items()}
    return {"name": row.name, "measured": row.measured, "simulated": simulated, "tasks": row.tasks}


def line(row: Row) -> str:
    """One row of the table: measured times, and simulated ones in parts of them."""
    times = "  ".join(f"{row.measured[threads]:7.3f}" for threads in THREADS)
    ratios = "  ".join(f"{row.simulated[t, n] / row.measured[n]:5.2f}" for t in THREADS for n in THREADS)
    return f"{row.name:18} {row.tasks:8} {times}   {ratios}"


def errors_of(rows: list[Row]) -> list[float]:
    """How far simulated times are from measured ones, as parts of these."""
    return sorted(abs(s / row.measured[n] - 1) for row in rows for (_, n), s in row.simulated.items())


def _row(case: Case, costs: dict[str, Any]) -> Row:
    nothing = statistics.median(_seconds(case.nothing, 1) for _ in range(ROUNDS))
    taken: dict[int, list[float]] = {threads: [] for threads in THREADS}
    for _ in range(ROUNDS):
        for threads in THREADS:
            taken[threads].append(_seconds(case.command, threads) - nothing)
    row = Row(case.name, {threads: statistics.median(taken[threads]) for threads in THREADS}, {}, 0)
    for traced in THREADS:
        with tempfile.TemporaryDirectory() as folder:
            _trace(case.command, traced, Path(folder) / session.EVENTS)
            made, _ = session.read(Path(folder), costs)
            path = Path(folder) / "workload.json"
            path.write_text(json.dumps(made))
            row.tasks = len(made["tasks"])
            for run in session.simulate(path, ",".join(map(str, THREADS)), costs)["runs"]:
                row.simulated[traced, run["cores"]] = run["duration_ns"] / 1e9
    return row


def _program(command: str) -> list[str]:
    words = command.split()
    return [str(paths.build_dir("release") / "bin" / words[0]), *words[1:]]


def _seconds(command: str, threads: int) -> float:
    words = _program(command)
    plan = running.prepare(words[0], "heddle", threads)
    began = time.monotonic()
    quiet.said(words, plan)
    return time.monotonic() - began


def _trace(command: str, threads: int, folder: Path) -> None:
    folder.mkdir()
    words = _program(command)
    plan = running.prepare(words[0], "heddle", threads)
    running.trace_into(folder, running.library(running.tracer_for(Path(words[0]))), plan)
    quiet.said(words, plan)
