"""Simulated against measured times on this machine: programs of every kind, on one thread and two.

Each program is run untraced, with one thread and two in turn, and the median of its times, less what it takes to start,
is what a simulation should say. It is traced with one thread and with two, and from either trace both are simulated.
Two ranks, which take the two cores of a small machine, have a thread each; they run on its memory, and on a network
that bench/kernels/slow_network makes slow, which the trace has not seen. Where a case says so there is no trace at
all: the simulator writes down by itself what the program does.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import execution, mpi, paths, results, runtimes, toolchain
from heddle.calibrate import measure
from heddle.errors import UserError
from heddle.simulate import generated, kept_costs, quiet, session, simulator
from heddle.trace import running

THREADS = (1, 2)
OF_RANKS = (1,)
ROUNDS = 7
TRACES = 3

HEAD = """\
                                   measured, s        simulated / measured
                                   1 thr.   2 thr.   with 1, none   traced with 2
program                      tasks                    1 thr. 2 thr.  1 thr. 2 thr."""

_AMR_INPUT = (
    "--num_tsteps 6 --stages_per_ts 10 --init_y 2 --init_z 2 --nx 12 --ny 12 --nz 12 --num_vars 20 --max_blocks 2000 "
    "--num_refine 2 --num_objects 1 --object 2 0 0.5 0.5 0.5 0.02 0.02 0.02 0.2 0.2 0.2 0 0 0 --variant"
)
_AMR = f"heddle-amr --init_x 2 {_AMR_INPUT}"
_AMR_OF_TWO = f"heddle-amr --npx 2 --init_x 1 {_AMR_INPUT}"
_WAVE = "heddle-wave --problem shock-bubble --volumes 32 --time 0.1 --exec"
_STEPS = "heddle-wave --problem shock-bubble --volumes 16 --max_level 3 --regrid_freq 0 --max_steps {} --exec {}"
_IN_STEPS = {
    "serial": "serial",
    "bsp": "bsp --partitions 8 --cut ill",
    "enclave": "enclave --strategy native --wait dependence",
    "in-runtime": "enclave --strategy in-runtime --wait dependence",
    "data-flow": "data-flow",
}
_TASKS, _GRAPHS = "tasks {} --repetitions 4", "graphs {} --form {} --repetitions 1"


_SLOW = "500,200"  # us, MB/s: that of the machine file
_SLOW_MACHINE = paths.ROOT / "bench" / "machines" / "slow-network.xml"


@dataclass(frozen=True)
class Case:
    """A program, and how to start it so that it does nothing. network: as of bench/kernels/slow_network.

    is_traced: else it is simulated without a trace.
    """

    name: str
    command: str
    nothing: str
    ranks: int = 1
    network: str = ""
    is_traced: bool = True

    @property
    def threads(self) -> tuple[int, ...]:
        return THREADS if self.ranks == 1 else OF_RANKS

    @property
    def cluster(self) -> simulator.Cluster:
        return simulator.Cluster(_SLOW_MACHINE, self.ranks) if self.network else simulator.HERE


def _cases() -> Iterator[Case]:
    for variant in ("loop", "loop-dyn", "task-1", "task-2", "data-flow"):
        yield Case(f"amr {variant}", f"{_AMR} {variant}", "heddle-amr --help")
    for network in ("", _SLOW):
        where = " slow" if network else ""
        for variant in ("serial", "loop", "task-2", "data-flow"):
            command = f"{_AMR_OF_TWO} {variant}"
            yield Case(f"2 ranks {variant}{where}", command, "heddle-amr --help", ranks=2, network=network)
    # As many partitions on one thread as on two: by default there are as many as threads, another program.
    for model in ("serial", "bsp --partitions 2", "enclave --partitions 2", "data-flow"):
        yield Case(f"wave {model.split()[0]}", f"{_WAVE} {model}", "heddle-wave --help")
    for ranks in (1, 2):
        for model, words in _IN_STEPS.items():
            name = f"{ranks} rank{'s' if ranks > 1 else ''}, no trace: {model}"
            command, nothing = _STEPS.format(120, words), _STEPS.format(0, words)
            yield Case(name, command, nothing, ranks=ranks, is_traced=False)
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
        "taskloop --tasks 20000 --grain 2000",
    ):
        yield Case(kernel.split()[0], _TASKS.format(kernel), "tasks --list")
    # A process whose two threads begin on one processor runs so for milliseconds: that has to be little of the whole.
    for kernel in ("heat", "nbody --iterations 200", "cholesky"):
        for form in ("tasks", "loops"):
            yield Case(f"{kernel.split()[0]} {form}", _GRAPHS.format(kernel, form), "graphs --list")


@dataclass
class Row:
    """Of one case. measured: by threads, s. simulated: by threads of the trace and threads, s."""

    name: str
    measured: dict[int, float]
    simulated: dict[tuple[int, int], float]
    tasks: int


def validate(out: Path, names: list[str], runtime: str) -> list[Row]:
    """Runs, traces and simulates the cases, all without names; prints the table and writes it as JSON.

    runtime: on which they run and whose rules are simulated; they are traced on libheddle.
    Errors: UserError for an unknown name; CheckFailed where a program fails.
    """
    # Tasks of several ranks want events, which stock runtimes lose.
    cases = [case for case in _cases() if runtime == "heddle" or case.ranks == 1]
    for name in names:
        if name not in [case.name for case in cases]:
            raise UserError(f"there is no case '{name}'; there are {', '.join(case.name for case in cases)}")
    targets = ["heddle", "heddle-amr", "heddle-wave", "tasks", "graphs", "heddle-simulate", "heddle_slow_network"]
    targets.append(simulator.OF_WAVE)
    toolchain.build("release", targets)
    costs = measure.measure(kept_costs.KEPT)
    rows = []
    print(HEAD)
    for case in cases:
        if not names or case.name in names:
            rows.append(_row(case, costs, runtime))
            print(line(rows[-1]), flush=True)
    out.parent.mkdir(parents=True, exist_ok=True)
    results.write(out, {"runtime": runtime, "costs": costs, "rows": [_json(row) for row in rows]})
    return rows


def _json(row: Row) -> dict[str, Any]:
    simulated = {f"traced with {traced}, {threads} threads": s for (traced, threads), s in row.simulated.items()}
    return {"name": row.name, "measured": row.measured, "simulated": simulated, "tasks": row.tasks}


def line(row: Row) -> str:
    """One row of the table: measured times, and simulated ones in parts of them."""
    times = "  ".join(f"{row.measured[n]:7.3f}" if n in row.measured else f"{'-':>7}" for n in THREADS)
    pairs = [(t, n) for t in THREADS for n in THREADS]
    ratios = (f"{row.simulated[p] / row.measured[p[1]]:5.2f}" if p in row.simulated else f"{'-':>5}" for p in pairs)
    return f"{row.name:25} {row.tasks:8} {times}   {'  '.join(ratios)}"


def errors_of(rows: list[Row]) -> list[float]:
    """How far simulated times are from measured ones, as parts of these."""
    return sorted(abs(s / row.measured[n] - 1) for row in rows for (_, n), s in row.simulated.items())


def _row(case: Case, costs: dict[str, Any], runtime: str) -> Row:
    nothing = statistics.median(_seconds(case, case.nothing, 1, runtime) for _ in range(ROUNDS))
    taken: dict[int, list[float]] = {threads: [] for threads in case.threads}
    for _ in range(ROUNDS):
        for threads in case.threads:
            taken[threads].append(_seconds(case, case.command, threads, runtime) - nothing)
    row = Row(case.name, {threads: statistics.median(taken[threads]) for threads in case.threads}, {}, 0)
    if not case.is_traced:
        program, *options = case.command.split()
        run = generated.Run(program, options, case.ranks)
        for threads in case.threads:
            found = generated.simulate(run, str(threads), costs, case.cluster, runtime=runtime)["runs"][0]
            row.simulated[1, threads] = found["duration_ns"] / 1e9
            row.tasks = found["tasks"]
        return row
    for traced in case.threads:
        with tempfile.TemporaryDirectory() as folder:
            made, _ = session.read(_median_trace(case, traced, Path(folder)), costs)
        row.tasks = sum(len(process["tasks"]) for process in made["processes"])
        cores = ",".join(map(str, case.threads))
        for threads, ns in simulator.times(made, cores, costs, case.cluster, runtime=runtime).items():
            row.simulated[traced, threads] = ns / 1e9
    return row


def _command(case: Case, command: str, threads: int) -> tuple[list[str], Path]:
    """The words that start it, and the program's file."""
    words = command.split()
    program = paths.build_dir("release") / "bin" / words[0]
    start = mpi.command(case.ranks, threads) if case.ranks > 1 else []
    return [*start, str(program), *words[1:]], program


def _seconds(case: Case, command: str, threads: int, runtime: str) -> float:
    words, program = _command(case, command, threads)
    plan = execution.prepare(str(program), runtime, threads)
    if case.network:
        library = paths.build_dir("release") / "lib" / "libslow-network.so"
        plan.environ["SLOW_NETWORK"] = case.network
        runtimes.preload_library(library, plan.environ)
    began = time.monotonic()
    quiet.said(words, plan)
    return time.monotonic() - began


def _median_trace(case: Case, threads: int, folder: Path) -> Path:
    """Traces it several times. Returns the folder of the run whose time is the median."""
    took = []
    for run in range(TRACES):
        began = time.monotonic()
        one = folder / str(run)
        one.mkdir()
        _trace(case, threads, one / session.EVENTS)
        took.append((time.monotonic() - began, one))
    return sorted(took)[TRACES // 2][1]


def _trace(case: Case, threads: int, folder: Path) -> None:
    folder.mkdir()
    words, program = _command(case, case.command, threads)
    plan = running.prepare(str(program), "heddle", threads)
    running.trace_into(folder, running.library(running.tracer_for(program)), plan)
    quiet.said(words, plan)
