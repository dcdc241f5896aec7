"""One simulation, from the words of the command line to its table."""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import paths, toolchain
from heddle.errors import CheckFailed, UserError
from heddle.graph import words
from heddle.simulate import calibrate, from_trace
from heddle.trace import events
from heddle.trace.session import EVENTS

_MANY = 1024  # cores on which a program is as fast as it can be
_PROGRAM = "heddle-simulate"


@dataclass(frozen=True)
class Cluster:
    """Where the processes are. machine: a platform file of SimGrid's; without, all are on one node."""

    machine: Path | None = None
    nodes: int | None = None

    def options(self) -> list[str]:
        machine = ["--machine", str(self.machine)] if self.machine else []
        return machine + (["--nodes", str(self.nodes)] if self.nodes is not None else [])


HERE = Cluster()


@dataclass(frozen=True)
class Request:
    """What was asked for, as the user wrote it."""

    trace: Path
    cores: str
    costs: Path | None
    cluster: Cluster
    workload: Path | None  # where it is kept


def run(request: Request) -> None:
    """Simulates the trace and prints a table. Errors: UserError for what was asked wrongly."""
    costs, origin = calibrate.costs(request.costs)
    made, measured = read(request.trace, costs)
    toolchain.build("release", [_PROGRAM])
    with tempfile.TemporaryDirectory() as folder:
        path = request.workload or Path(folder) / "workload.json"
        try:
            path.write_text(json.dumps(made))
        except OSError as error:
            raise UserError(f"--workload {path} cannot be written: {error.strerror}") from None
        result = simulate(path, request.cores, costs, request.cluster)
        ideal = simulate(path, str(_MANY), calibrate.free(costs)) if not _is_fixed(made) else None
    show(made, measured, result, ideal, origin)


def read(trace: Path, costs: dict[str, Any]) -> tuple[dict[str, Any], float]:
    """The workload of a trace, and how long its run took, from the first event to the last. Units: ns."""
    if not (trace / EVENTS).is_dir():
        raise UserError(f"{trace}: there is no {EVENTS} folder in it; 'heddle trace' makes one")
    processes = events.read_folder(trace / EVENTS)
    made = from_trace.workload(processes, from_trace.Overheads(**costs["trace"]))
    return made, max(_span(process) for process in processes)


def _span(process: events.ProcessEvents) -> float:
    times = [thread.ns for thread in process.threads if len(thread.ns)]
    return float(max(ns.max() for ns in times) - min(ns.min() for ns in times))


def simulate(workload: Path, cores: str, costs: dict[str, Any], cluster: Cluster = HERE) -> dict[str, Any]:
    """What the simulator says. cores: numbers with commas between them.

    Requires: it is built. Errors: UserError, CheckFailed.
    """
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(costs, file)
        file.flush()
        command = [str(paths.build_dir("release") / "bin" / _PROGRAM), "--workload", str(workload)]
        command += ["--costs", file.name, "--cores", cores, *cluster.options()]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 2:
        raise UserError(done.stderr.strip().removeprefix(f"{_PROGRAM}: "))
    if done.returncode != 0:
        raise CheckFailed(f"{_PROGRAM} ended with status {done.returncode}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def _is_fixed(made: dict[str, Any]) -> bool:
    return any(region["fixed"] for process in made["processes"] for region in process["regions"])


def show(
    made: dict[str, Any], measured: float, result: dict[str, Any], ideal: dict[str, Any] | None, origin: str
) -> None:
    """The table, and what bounds the program."""
    from rich import filesize
    from rich.table import Table

    from heddle import terminal

    console = terminal.console()
    ranks = result["processes"]
    of_ranks = f"{ranks} ranks of " if ranks > 1 else ""
    console.print(
        f"{made['program']}, traced with {of_ranks}{made['threads']} threads: {_time(measured)} with the trace's cost"
    )
    columns = ("cores" if ranks == 1 else "cores a rank", "time", "speedup", "busy", "runtime", "idle")
    table = Table(*columns, box=None, pad_edge=False)
    for column in table.columns:
        column.justify = "right"
    first = result["runs"][0]
    for run_ in result["runs"]:
        whole = run_["duration_ns"] * run_["cores"] * ranks
        keys = ("work_ns", "overhead_ns", "idle_ns")
        shares = [max(0.0, sum(worker[key] for worker in run_["workers"]) / whole) for key in keys]
        speedup = first["duration_ns"] * first["cores"] / run_["duration_ns"]
        table.add_row(
            str(run_["cores"]),
            _time(run_["duration_ns"]),
            f"{speedup:.2f}",
            *(f"{x:.0%}" for x in shares),
        )
    console.print(table)
    if ranks > 1:
        nodes = sorted({run_["nodes"] for run_ in result["runs"]})
        where = "one node" if nodes == [1] else f"{' and '.join(map(str, nodes))} nodes"
        sent = filesize.decimal(first["bytes"])
        console.print(f"{first['messages']} messages, {sent}, between {ranks} ranks on {where}")
    console.print(f"work: {_time(result['work_ns'])}")
    if ideal is not None:
        least = ideal["runs"][0]["duration_ns"]
        most = result["work_ns"] / least if least else 1.0
        console.print(
            f"with {_MANY} cores {'a rank ' if ranks > 1 else ''}and a runtime that costs nothing: {_time(least)}; "
            f"more than {most:.0f} cores {'in all ' if ranks > 1 else ''}are of no use"
        )
    console.print(f"costs of the runtime: {origin}")


def _time(ns: float) -> str:
    return words.duration(ns, is_measured=True)
