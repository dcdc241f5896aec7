"""heddle fuzz: orders of a program's tasks, until one changes its output."""

from pathlib import Path
from typing import Annotated, Optional

import typer


def fuzz(
    program: Annotated[
        list[str], typer.Argument(metavar="-- PROGRAM [ARGS]...", help="The program and its arguments.")
    ],
    seeds: Annotated[int, typer.Option(help="How many orders to try, with the seeds 1 to this.")] = 200,
    seed: Annotated[Optional[int], typer.Option(help="Try this seed alone.")] = None,
    threads: Annotated[int, typer.Option(help="Sets OMP_NUM_THREADS; with 1 a seed repeats exactly.")] = 1,
    compare: Annotated[
        Optional[list[str]],
        typer.Option(metavar="WHAT", help="stdout, status, or a file that the program writes; may be given again."),
    ] = None,
    ignore: Annotated[
        Optional[str], typer.Option(metavar="REGEX", help="Lines to leave out, such as those with times.")
    ] = None,
    tolerance: Annotated[
        float, typer.Option(help="How far floating-point numbers may differ, as a part of the larger; 0 is exactly.")
    ] = 0.0,
    timeout: Annotated[
        Optional[float], typer.Option(help="Seconds a run may take; by default 20 times the reference, at least 5.")
    ] = None,
    json: Annotated[Optional[Path], typer.Option(metavar="FILE", help="Write what was found there.")] = None,
) -> None:
    """Find tasks that lack a dependence.

    The program runs on libheddle with its tasks in the serial order, then in orders chosen by seeds, until its output
    changes. Then the two tasks whose order decides the output are looked for, and named with their lines. Exit status:
    0 no order changes the output, 1 one does, 2 the question was wrong.
    """
    from heddle.fuzz import session

    status = session.run(
        session.Request(
            command=program,
            seeds=seeds,
            seed=seed,
            threads=threads,
            compare=tuple(compare or ()),
            ignore=ignore,
            tolerance=tolerance,
            timeout_s=timeout,
            record=json,
        )
    )
    raise typer.Exit(status)
