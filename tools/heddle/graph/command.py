"""heddle graph: what a program's recorded taskgraphs allow."""

from pathlib import Path
from typing import Annotated, Optional

import typer


def graph(
    program: Annotated[
        Optional[list[str]], typer.Argument(metavar="-- PROGRAM [ARGS]...", help="The program and its arguments.")
    ] = None,
    graph: Annotated[Optional[int], typer.Option(metavar="N", help="Show this graph alone.")] = None,
    threads: Annotated[Optional[int], typer.Option(help="Sets OMP_NUM_THREADS.")] = None,
    json: Annotated[Optional[Path], typer.Option(metavar="FILE", help="Write everything there.")] = None,
    dot: Annotated[Optional[Path], typer.Option(metavar="FILE", help="Write one graph for Graphviz.")] = None,
    plot: Annotated[Optional[Path], typer.Option(metavar="FILE", help="Draw one graph, as .png or .svg.")] = None,
    log: Annotated[
        Optional[Path],
        typer.Option("--from", metavar="FILE", help="Read what HEDDLE_GRAPH_LOG wrote; no program runs."),
    ] = None,
) -> None:
    """Show what recorded taskgraphs allow.

    The program runs on libheddle, its output on stderr. Then come the graphs that it recorded: their critical paths,
    how much faster threads can make them, and which constructs that depends on. Exit status: 0, 1 the program failed
    or recorded nothing, 2 the question was wrong.
    """
    from heddle.graph import session

    session.run(
        session.Request(command=program or [], log=log, graph=graph, threads=threads, json=json, dot=dot, plot=plot)
    )
