"""heddle race: data races of an OpenMP program."""

import os
import sys
from typing import Annotated, Optional

import typer


def race(
    program: Annotated[
        list[str], typer.Argument(metavar="-- PROGRAM [ARGS]...", help="The program and its arguments.")
    ],
    threads: Annotated[Optional[int], typer.Option(help="Sets OMP_NUM_THREADS.")] = None,
) -> None:
    """Find data races, such as a dependence that is missing.

    The program is to be built with -g -fopenmp -fsanitize=thread, by GCC or Clang. It runs on libheddle, which tells
    LLVM's Archer, and this tells ThreadSanitizer, what OpenMP orders. Races are reported on stderr as ThreadSanitizer
    does; the exit status is then 66, else the program's own. A race between tasks that one thread has executed one
    after the other is not seen: give more threads, or run it again.
    """
    from heddle import execution, launch
    from heddle.race import archer

    archer.require_sanitized(program[0], launch.find_program(program[0]))
    library = archer.find_archer()
    plan = execution.prepare(program[0], "heddle", threads)
    archer.set_up(plan.environ, library)
    sys.stdout.flush()
    try:
        os.execve(plan.program, [program[0], *program[1:]], plan.environ)
    except OSError as error:
        raise execution.cannot_start(program[0], error) from None
