"""heddle gdb: a program on libheddle under gdb."""

import os
import shutil
import sys
from typing import Annotated, Optional

import typer


def gdb(
    program: Annotated[
        list[str], typer.Argument(metavar="-- PROGRAM [ARGS]...", help="The program and its arguments.")
    ],
    threads: Annotated[Optional[int], typer.Option(help="Sets OMP_NUM_THREADS.")] = None,
) -> None:
    """Debug a program on libheddle, with commands for its tasks.

    gdb has two more commands then: 'info omp tasks' lists which threads execute which tasks, and which tasks are
    suspended, where and for what; 'omp backtrace N' shows the stack of one that is suspended. In a gdb that runs
    already, 'source' the file that 'heddle path gdb' names. The exit status is gdb's.
    """
    from heddle import execution, paths
    from heddle.errors import UserError

    debugger = shutil.which("gdb")
    if debugger is None:
        raise UserError("gdb is not installed: apt-get install gdb")
    plan = execution.prepare(program[0], "heddle", threads)
    sys.stdout.flush()
    words = [debugger, "-q", "-x", str(paths.GDB_SCRIPT), "--args", str(plan.program), *program[1:]]
    try:
        os.execve(debugger, words, plan.environ)
    except OSError as error:
        raise execution.cannot_start("gdb", error) from None
