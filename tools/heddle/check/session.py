"""One check of a program, from the words of the command line to its report."""

from __future__ import annotations

import shlex
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from heddle import execution, paths, results, whole_file
from heddle.check import findings, read, report
from heddle.errors import CheckFailed, UserError


@dataclass(frozen=True)
class Request:
    """What was asked for, as the user wrote it."""

    command: list[str]
    threads: int | None
    json: Path | None


def run(request: Request) -> int:
    """Runs the program and reports. Returns the exit status: 1 where a region differs from its record, 0 where none.

    Errors: UserError for what was asked wrongly, and where nothing was compared. CheckFailed where the program fails
    and nothing differs.
    """
    if not request.command:
        raise UserError("give a program to run behind '--'")
    if request.json is not None:
        whole_file.check("--json", request.json)
    name = request.command[0]
    plan = execution.prepare(name, "heddle", request.threads)
    with tempfile.TemporaryDirectory(prefix="heddle-check-") as folder:
        file = Path(folder) / "log"
        variables = {"HEDDLE_CHECK": "graph", "HEDDLE_CHECK_LOG": str(file)}
        status = execution.run_beside_report(request.command, plan, variables)
        log = read.read(file) if file.exists() else read.Log()
        regions = findings.find(log, plan.program)
    end = f"{name} ended with {execution.end_of(status)}"
    if not regions:
        raise UserError(f"{_nothing(request.command)}{f'; {end}' if status else ''}")
    report.show(regions)
    if request.json:
        results.write(request.json, report.record(request.command, request.threads, regions))
    differs = any(region.differs for region in regions)
    if status:
        if not differs:
            raise CheckFailed(f"{end}; nothing differed until then")
        print(f"heddle: {end}", file=sys.stderr)
    return int(differs)


def _nothing(command: list[str]) -> str:
    return (
        f"{command[0]} executed no taskgraph region that has a record, so nothing was compared; HEDDLE_LOG=graph "
        f"{paths.COMMAND} run -- {shlex.join(command)} tells of each that it meets"
    )
