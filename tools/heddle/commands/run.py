"""heddle run: any OpenMP program on any of the runtimes."""

from __future__ import annotations

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

    Whichever compiler built it. The program takes the place of this process: exit status, signals and standard
    streams are its own. A combination that cannot work is refused with the reason and exit status 2, before the
    program starts.
    """
    from heddle import launch, runtimes, toolchain
    from heddle.errors import UserError

    launch.find_program(program[0])
    if runtime == "heddle" and runtimes.find("heddle") is None:
        toolchain.build_runtime()
    plan = launch.plan(program[0], runtime, threads)
    for note in plan.notes:
        print(f"heddle: {note}", file=sys.stderr)
    sys.stdout.flush()
    try:
        os.execve(plan.program, [program[0], *program[1:]], plan.environ)
    except OSError as error:
        raise UserError(f"{program[0]} cannot be started: {error.strerror}") from None
