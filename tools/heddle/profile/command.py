"""heddle profile: where a program's time goes."""

from typing import Annotated, Optional

import typer


def profile(
    program: Annotated[
        list[str], typer.Argument(metavar="-- PROGRAM [ARGS]...", help="The program and its arguments.")
    ],
    threads: Annotated[Optional[int], typer.Option(help="Sets OMP_NUM_THREADS.")] = None,
    runtime: Annotated[str, typer.Option(help="heddle, or llvm for a program of Clang.")] = "heddle",
) -> None:
    """Say where a program's time goes, without a trace.

    A table of what its threads did, computing and waits by cause, and one of its tasks by the line that makes them, on
    stderr when it has ended. It keeps sums, not events: there is nothing to store, and the program is hardly slower.
    Medians are within a factor of 1.5. The exit status is the program's own.
    """
    from heddle.profile import session

    session.run(program, runtime=runtime, threads=threads)
