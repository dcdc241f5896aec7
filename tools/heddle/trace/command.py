"""heddle trace: what happened when."""

from pathlib import Path
from typing import Annotated, Optional

import typer


def trace(
    program: Annotated[
        Optional[list[str]], typer.Argument(metavar="-- PROGRAM [ARGS]...", help="The program and its arguments.")
    ] = None,
    page: Annotated[bool, typer.Option("--page", help="The same as --format page.")] = False,
    format: Annotated[
        Optional[list[str]],
        typer.Option(metavar="NAME", help="perfetto, paraver, otf2 or page; may be given several times."),
    ] = None,
    out: Annotated[
        Optional[Path],
        typer.Option(metavar="FOLDER", help="Where it is written; without: PROGRAM.trace in the current folder."),
    ] = None,
    earlier: Annotated[
        Optional[Path],
        typer.Option("--from", metavar="FOLDER", help="Write an earlier trace in other formats; no program runs."),
    ] = None,
    threads: Annotated[Optional[int], typer.Option(help="Sets OMP_NUM_THREADS.")] = None,
    runtime: Annotated[str, typer.Option(help="heddle, or llvm for a program of Clang.")] = "heddle",
) -> None:
    """Write a trace of a program: what happened when.

    It has tasks, waits, locks and messages, each with its line in the source, and can be looked at as a page in any
    browser, with Perfetto, Paraver, or what reads OTF2. Without --format or --page it is written for Perfetto. An
    earlier trace in the same folder is replaced. A summary is printed behind the program's output. Exit status: 0, 1
    the program failed or did nothing that could be shown, or the trace is damaged, 2 the question was wrong.
    """
    from heddle.trace import session

    formats = [*(format or []), *(["page"] if page else [])]
    session.run(
        session.Request(
            command=program or [],
            earlier=earlier,
            out=out,
            formats=formats or ["perfetto"],
            runtime=runtime,
            threads=threads,
        )
    )
