"""heddle attach: what the tasks of a running program wait for."""

from typing import Annotated

import typer


def attach(
    pid: Annotated[
        int, typer.Argument(metavar="PID", help="The process, of this user, that runs on libheddle; or mpiexec.")
    ],
) -> None:
    """Tell who waits for what in a program that hangs.

    The program stands still for a moment and then goes on. Of mpiexec all ranks on this machine are asked.
    HEDDLE_WATCHDOG=SECONDS has a program tell by itself.
    """
    from heddle.attach import ranks

    typer.echo(ranks.report(pid), nl=False)
