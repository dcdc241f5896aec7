"""heddle check: taskgraph regions that do not do what was recorded."""

from pathlib import Path
from typing import Annotated, Optional

import typer


def check(
    program: Annotated[
        list[str], typer.Argument(metavar="-- PROGRAM [ARGS]...", help="The program and its arguments.")
    ],
    threads: Annotated[Optional[int], typer.Option(help="Sets OMP_NUM_THREADS.")] = None,
    json: Annotated[Optional[Path], typer.Option(metavar="FILE", help="Write what was found there.")] = None,
) -> None:
    """Find a forgotten graph_reset.

    The program runs on libheddle, its output on stderr. Taskgraph regions that have a record are executed plainly and
    compared with it: other tasks, dependences or values of firstprivate variables are named. Exit status: 0 all is as
    it was recorded, 1 something differs or the program failed, 2 the question was wrong or nothing was compared.
    """
    from heddle.check import session

    raise typer.Exit(session.run(session.Request(command=program, threads=threads, json=json)))
