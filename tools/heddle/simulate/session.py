"""One simulation, from the words of the command line to its table."""

from __future__ import annotations

import json
import math
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import paths, runtimes, toolchain, whole_file
from heddle.errors import UserError
from heddle.graph import words
from heddle.simulate import from_trace, generated, kept_costs, outliers, simulator
from heddle.simulate.simulator import Cluster
from heddle.trace import events
from heddle.trace.session import EVENTS

_MANY = 1024  # cores on which a program is as fast as it can be


@dataclass(frozen=True)
class Request:
    """What was asked for, as the user wrote it."""

    cores: str
    costs: Path | None
    cluster: Cluster
    workload: Path | None = None  # where it is kept
    page: Path | None = None  # where one is wanted
    runtime: str = "heddle"

    def check(self) -> None:
        """Errors: UserError for a file that could not be written, or a machine that none is."""
        for option, file in (("--workload", self.workload), ("--page", self.page)):
            if file is not None:
                whole_file.check(option, file)
        self.cluster.check()


def run(trace: Path, request: Request) -> None:
    """Simulates the trace and prints a table. Errors: UserError for what was asked wrongly."""
    request.check()
    costs, origin = kept_costs.read(request.costs, request.runtime)
    made, measured = read(trace, costs)
    toolchain.build("release", [simulator.OF_WORKLOADS])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "workload.json"
        path.write_text(json.dumps(made))
        if request.workload is not None:
            whole_file.put(request.workload, path.read_bytes())
        has_timeline = request.page is not None
        result = simulator.simulate(
            path, request.cores, costs, request.cluster, has_timeline=has_timeline, runtime=request.runtime
        )
        ideal = simulator.simulate(path, str(_MANY), kept_costs.free(costs)) if not _is_fixed(made) else None
    ranks = f"{result['processes']} ranks of " if result["processes"] > 1 else ""
    head = f"{made['program']}, traced with {ranks}{made['threads']} threads: {_time(measured)} with the trace's cost"
    show(result, head, f"{origin}; rules of {runtimes.KINDS[request.runtime]}", request.cluster, ideal)
    for line in outliers.found(made, min(run_["duration_ns"] for run_ in result["runs"])):
        print(f"heddle: {line}", file=sys.stderr)
    _put_page(result, request.page)


def _put_page(result: dict[str, Any], file: Path | None) -> None:
    if file is None:
        return
    from heddle.simulate import page

    print(f"page: {paths.shown(page.write(result, file))}")


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


def _is_fixed(made: dict[str, Any]) -> bool:
    return any(region["fixed"] for process in made["processes"] for region in process["regions"])


def run_generated(run_: generated.Run, request: Request) -> None:
    """Simulates a program without a trace and prints a table. Errors: UserError for what was asked wrongly."""
    request.check()
    known, origin = kept_costs.read(request.costs, request.runtime)
    has_timeline = request.page is not None
    result = generated.simulate(
        run_, request.cores, known, request.cluster, has_timeline=has_timeline, runtime=request.runtime
    )
    blocks = f"{result['blocks']} {'patches' if run_.program == paths.WAVE else 'blocks'}"
    ranks = f"{result['processes']} ranks, " if result["processes"] > 1 else ""
    head = f"{result['program']}, {ranks}{blocks}, without refinements"
    show(result, head, f"{origin}; rules of {runtimes.KINDS[request.runtime]}", request.cluster)
    _put_page(result, request.page)


def show(result: dict[str, Any], head: str, origin: str, cluster: Cluster, ideal: dict[str, Any] | None = None) -> None:
    """The table, and what bounds the program."""
    from rich import filesize
    from rich.table import Table

    from heddle import terminal

    console = terminal.console()
    ranks = result["processes"]
    console.print(head)
    columns = ("cores" if ranks == 1 else "cores a rank", "time", "speedup", "busy", "runtime", "idle")
    has_sockets = cluster.sockets is not None
    columns += ("longer for sockets",) if has_sockets else ()
    table = Table(*columns, box=None, pad_edge=False)
    for column in table.columns:
        column.justify = "right"
    first = result["runs"][0]
    for run_ in result["runs"]:
        whole = run_["duration_ns"] * run_["cores"] * ranks
        keys = ("work_ns", "overhead_ns", "idle_ns")
        shares = [max(0.0, sum(worker[key] for worker in run_["workers"]) / whole) for key in keys]
        speedup = first["duration_ns"] / run_["duration_ns"]
        table.add_row(
            str(run_["cores"]),
            _time(run_["duration_ns"]),
            words.digits(speedup),
            *(words.percent(x) for x in shares),
            *([words.percent(longer(result, run_))] if has_sockets else []),
        )
    console.print(table)
    if ranks > 1:
        nodes = sorted({run_["nodes"] for run_ in result["runs"]})
        where = "one node" if nodes == [1] else f"{' and '.join(map(str, nodes))} nodes"
        sent = filesize.decimal(first["bytes"])
        console.print(f"{first['messages']} messages, {sent}, between {ranks} ranks on {where}")
    console.print(f"work: {_time(result['work_ns'])}")
    if has_sockets:
        console.print(
            f"{words.plural(cluster.sockets, 'socket')} a node; work whose data is on another one takes "
            f"{cluster.times_of_remote()} times as long, which nobody has measured"
        )
    if ideal is not None:
        least = ideal["runs"][0]["duration_ns"]
        most = result["work_ns"] / least if least else 1.0
        most = max(1.0, round(most, 2))  # what a hundredth of a core could do is none
        console.print(
            f"with {_MANY} cores {'a rank ' if ranks > 1 else ''}and a runtime that costs nothing: {_time(least)}; "
            f"more than {words.plural(math.ceil(most), 'core')} {'in all ' if ranks > 1 else ''}"
            f"{'is' if most <= 1 else 'are'} of no use"
        )
    console.print(f"costs of the runtime: {origin}")


def longer(result: dict[str, Any], run_: dict[str, Any]) -> float:
    """By what part all work of a simulated run took longer, since data was on another socket."""
    return sum(worker["work_ns"] for worker in run_["workers"]) / result["work_ns"] - 1 if result["work_ns"] else 0.0


def _time(ns: float) -> str:
    return words.duration(ns, is_measured=True)
