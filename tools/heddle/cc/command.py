"""heddle cc: a compiler launcher that knows taskgraph, task_iteration and taskwait detach."""

from typing import Annotated

import typer


def cc(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMPILER [ARGS]...", help="The compiler and its arguments.")
    ],
    static_graphs: Annotated[
        bool,
        typer.Option(help="Have Clang make graphs of taskgraph regions whose tasks it knows, in place of records."),
    ] = True,
) -> None:
    """Compile taskgraph, task_iteration and taskwait detach.

    The first two are of OpenMP 6.0, the last suspends a task on an event; neither GCC 12 nor Clang 19 has them, in C,
    C++ or Fortran (task_iteration: C and C++). Only their lines are rewritten; everything else is the compiler's, its
    exit status included.
    CMAKE_<LANG>_COMPILER_LAUNCHER takes "PATH/heddle;cc;--".
    """
    from heddle.cc import launcher

    launcher.main(command if static_graphs else [launcher.NO_STATIC_GRAPHS, *command])
