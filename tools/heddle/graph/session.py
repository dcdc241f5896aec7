"""One look at a program's graphs, from the words of the command line to its tables and files."""

from __future__ import annotations

import shlex
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from heddle import code_places, execution, paths, results, whole_file
from heddle.errors import CheckFailed, UserError
from heddle.graph import analysis, export, read, table

PICTURES = (".png", ".svg")


@dataclass(frozen=True)
class Request:
    """What was asked for, as the user wrote it."""

    command: list[str]
    log: Path | None
    graph: int | None
    threads: int | None
    json: Path | None
    dot: Path | None
    plot: Path | None


def run(request: Request) -> None:
    """Runs the program or reads the log, prints the tables and writes the files.

    Errors: UserError for what was asked wrongly, CheckFailed where the program fails or records nothing.
    """
    _check(request)
    if request.log is not None:
        log, program = read.read(request.log), None
        if not log.graphs and not log.is_cut:
            raise CheckFailed(f"{request.log} holds no graph")
    else:
        log, program = _logged(request)
    if log.is_cut:
        if not log.graphs:
            raise CheckFailed("the log breaks off within its first graph, so there is nothing to show")
        print("heddle: the log breaks off; its last graph is left out", file=sys.stderr)
    _report(request, log, program)


def _check(request: Request) -> None:
    if bool(request.command) == (request.log is not None):
        raise UserError("give a program to run behind '--', or a log of HEDDLE_GRAPH_LOG by --from FILE")
    if request.log is not None and request.threads is not None:
        raise UserError("--threads is for a program that is run; --from reads what was logged")
    for option, file in (("--json", request.json), ("--dot", request.dot), ("--plot", request.plot)):
        if file is not None:
            whole_file.check(option, file)
    if request.plot is not None and request.plot.suffix not in PICTURES:
        raise UserError(f"--plot {request.plot}: give a name that ends in {' or '.join(PICTURES)}")


def _logged(request: Request) -> tuple[read.Log, Path]:
    name = request.command[0]
    plan = execution.prepare(name, "heddle", request.threads)
    with tempfile.TemporaryDirectory(prefix="heddle-graph-") as folder:
        file = Path(folder) / "log"
        status = execution.run_beside_report(request.command, plan, {"HEDDLE_GRAPH_LOG": str(file)})
        if status != 0:
            raise CheckFailed(f"{name} ended with {execution.end_of(status)}, so its graphs are not shown")
        again = f"HEDDLE_LOG=graph {paths.COMMAND} run -- {shlex.join(request.command)}"
        if not file.exists():
            raise CheckFailed(f"{name} came to no taskgraph region on libheddle; {again} tells of each that it meets")
        log = read.read(file)
        if not log.graphs and not log.is_cut:
            raise CheckFailed(f"{name} recorded none of its taskgraph regions; {again} says why")
        return log, plan.program


def _report(request: Request, log: read.Log, program: Path | None) -> None:
    graphs = _chosen(request.graph, log.graphs)
    used = {int(code) for graph in graphs for code in set(graph.codes.tolist()) - {read.JOIN}}
    places = {code: code_places.place(log.codes[code], program) for code in sorted(used)}
    analyses = [analysis.analyse(graph) for graph in graphs]
    constructs = [analysis.constructs(one, places) for one in analyses]
    table.show(analyses, constructs)
    if request.json:
        results.write(request.json, export.record(analyses, constructs, places))
    _refuse_several(request, graphs)  # now that the table shows which there are
    if request.dot:
        whole_file.put(request.dot, export.dot(analyses[0], constructs[0], places).encode())
    if request.plot:
        from heddle.graph import picture  # matplotlib takes a second

        whole_file.put(request.plot, picture.draw(analyses[0], constructs[0], request.plot.suffix[1:]))


def _chosen(number: int | None, graphs: list[read.Graph]) -> list[read.Graph]:
    """Errors: UserError where there is no such graph."""
    found = [graph for graph in graphs if number is None or graph.number == number]
    if not found:
        raise UserError(f"--graph {number}: there is no such graph; {_range(graphs)}")
    return found


def _refuse_several(request: Request, graphs: list[read.Graph]) -> None:
    """Errors: UserError where one must be chosen."""
    for option, file in (("--dot", request.dot), ("--plot", request.plot)):
        if file is not None and len(graphs) > 1:
            raise UserError(f"{option} shows one graph, and {_range(graphs)}; choose one with --graph N")


def _range(graphs: list[read.Graph]) -> str:
    first, last = graphs[0].number, graphs[-1].number
    return f"there is {first}" if first == last else f"there are {first} to {last}"
