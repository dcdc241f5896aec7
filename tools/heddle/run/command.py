"""heddle run: any OpenMP program on any of the runtimes."""

import os
import sys
from typing import Annotated, Optional

import typer


def run(
    program: Annotated[
        list[str], typer.Argument(metavar="-- PROGRAM [ARGS]...", help="The program and its arguments.")
    ],
    runtime: Annotated[str, typer.Option(help="heddle, gnu (libgomp) or llvm (libomp).")] = "heddle",
    threads: Annotated[Optional[int], typer.Option(help="Sets OMP_NUM_THREADS.")] = None,
) -> None:
    """Run any OpenMP program on any runtime.

    Whichever compiler built it. The program replaces this process: exit status, signals and standard
    streams are its own. A combination that cannot work is refused with the reason and exit status 2, before the
    program starts.
    """
    from heddle import execution

    plan = execution.prepare(program[0], runtime, threads)
    sys.stdout.flush()
    try:
        os.execve(plan.program, [program[0], *program[1:]], plan.environ)
    except OSError as error:
        raise execution.cannot_start(program[0], error) from None
