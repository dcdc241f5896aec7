"""One trace, from the words of the command line to its files."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from heddle import execution, launch, mpi_launcher
from heddle.errors import CheckFailed, UserError
from heddle.trace import build, events, report, running, summary
from heddle.trace.timeline import Timeline

EVENTS = "events"  # the folder of what the processes have written, in that of the trace


@dataclass(frozen=True)
class Request:
    """What was asked for, as the user wrote it."""

    command: list[str]
    earlier: Path | None
    out: Path | None
    formats: list[str]
    runtime: str
    threads: int | None


def _perfetto(timeline: Timeline, folder: Path, name: str) -> Path:
    from heddle.trace import perfetto

    return perfetto.write(timeline, folder / f"{name}.perfetto-trace")


def _paraver(timeline: Timeline, folder: Path, name: str) -> Path:
    from heddle.trace import paraver

    return paraver.write(timeline, folder, name)[0]


def _otf2(timeline: Timeline, folder: Path, name: str) -> Path:
    from heddle.trace import otf2_archive

    where = folder / "otf2"
    shutil.rmtree(where, ignore_errors=True)  # an archive is not written over another one
    return otf2_archive.write(timeline, where)


def _page(timeline: Timeline, folder: Path, name: str) -> Path:
    from heddle.trace import page

    return page.write(timeline, folder / f"{name}.html", name)


# What --format takes.
WRITERS: dict[str, Callable[[Timeline, Path, str], Path]] = {
    "perfetto": _perfetto,
    "paraver": _paraver,
    "otf2": _otf2,
    "page": _page,
}


def run(request: Request) -> None:
    """Runs the program, or reads an earlier trace, and writes the formats that are wanted.

    Errors: UserError for what was asked wrongly; CheckFailed where the program fails or the trace is damaged, after
    what there is has been written.
    """
    _check(request)
    if request.earlier is not None:
        folder, status = request.earlier, 0
    else:
        folder, status = _traced(request)
    trace = events.read_whole(folder / EVENTS)
    damage = trace.damage()
    for line in damage:
        print(f"heddle: damaged: {line}", file=sys.stderr)
    timeline = build.build(trace.processes)
    for path in events.without_begin(folder / EVENTS):
        print(
            f"heddle: {path.name} holds nothing: there was no room, or its process was killed at once", file=sys.stderr
        )
    name = timeline.processes[0].program.name
    report.show(summary.of_timeline(timeline))
    for wanted in dict.fromkeys(request.formats):
        try:
            print(f"{wanted}: {WRITERS[wanted](timeline, folder, name)}")
        except OSError as error:
            what = f"{folder} cannot be written: {error.strerror or error}"
            raise CheckFailed(f"--format {wanted}: {what}; the events are kept") from None
        except UserError as mistake:
            raise CheckFailed(f"--format {wanted}: {mistake}; the events are kept") from None
    if status != 0:
        raise CheckFailed(f"{request.command[0]} ended with {execution.end_of(status)}; its trace ends there")
    if damage:
        raise CheckFailed("the trace is damaged: what is shown lacks what was left out; trace the program again")


def _check(request: Request) -> None:
    if bool(request.command) == (request.earlier is not None):
        raise UserError("give a program to run behind '--', or the folder of an earlier trace by --from")
    for wanted in request.formats:
        if wanted not in WRITERS:
            raise UserError(f"--format {wanted}: there are {', '.join(WRITERS)}")
    if request.earlier is not None:
        if request.out is not None or request.threads is not None:
            raise UserError("--out and --threads are for a program that is run; --from writes into the folder it names")
        if not (request.earlier / EVENTS).is_dir():
            raise UserError(f"--from {request.earlier}: there is no {EVENTS} folder in it; 'heddle trace' makes one")


def _traced(request: Request) -> tuple[Path, int]:
    """Runs the program; the folder of the trace, and how the program ended."""
    program = launch.find_program(request.command[0])
    tracer = running.tracer_for(program)
    plan = running.prepare(request.command[0], request.runtime, request.threads)
    library = running.library(tracer)
    folder = _folder(request, program)
    try:
        (folder / EVENTS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{folder} cannot be made: {error.strerror}; choose another by --out") from None
    for old in (folder / EVENTS).glob("process-*"):
        old.unlink()
    status = running.run(request.command, plan, library, folder / EVENTS)
    if not any((folder / EVENTS).iterdir()):
        (folder / EVENTS).rmdir()
        if not any(folder.iterdir()):
            folder.rmdir()
        why = f" (it ended with {execution.end_of(status)})" if status != 0 else ""
        raise CheckFailed(
            f"{shlex.join(request.command)} did nothing that a trace could show{why}: no OpenMP on a runtime with the "
            "tools interface, no MPI, no heddle_range_push()"
        )
    return folder, status


def _folder(request: Request, program: Path) -> Path:
    """Errors: UserError where something else than a trace is in the way, or several would go into one folder."""
    if request.out is None and (start := mpi_launcher.of_this_process()) is not None:
        raise UserError(
            f"{start.command} has started 'heddle trace' {start.ranks} times, for one folder; write "
            f"'heddle trace -- {start.command} -n {start.ranks} {shlex.join(request.command)}'"
        )
    folder = request.out if request.out is not None else Path(f"{program.name}.trace")
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file; choose a folder for the trace by --out")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / EVENTS).is_dir():
        raise UserError(f"{folder} holds something else than a trace; choose another folder by --out")
    return folder
