"""heddle wave: heddle-wave on any of the runtimes and its pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Optional

import typer

_OURS = """\
./heddle wave takes these options too:
  --runtime NAME              heddle, gnu (libgomp) or llvm (libomp) [heddle]
  --compiler NAME             gcc or clang: who built the program [gcc]
  --plot FILE.png             Draw the final values of unknown 0 and the mesh; in 3-D, in a plane
"""


def wave(
    arguments: Annotated[
        Optional[list[str]], typer.Argument(metavar="[ARGS]...", help="Options of heddle-wave.")
    ] = None,
    runtime: Annotated[Optional[str], typer.Option(help="heddle, gnu (libgomp) or llvm (libomp).")] = None,
    compiler: Annotated[Optional[str], typer.Option(help="gcc or clang: who built the program.")] = None,
    threads: Annotated[Optional[int], typer.Option(help="Threads.")] = None,
    plot: Annotated[Optional[str], typer.Option(metavar="FILE", help="Draw the final state as a PNG file.")] = None,
) -> None:
    """Run heddle-wave, conservation laws on adaptive patches.

    Everything that is none of the options here goes to heddle-wave.
    """
    from heddle import own_program, paths

    arguments = arguments or []
    if plot is not None:
        from heddle.wave import plot as plots

        plots.check(Path(plot))
    if {"-h", "--help"} & set(arguments):
        print(_OURS, flush=True)
    chosen = {"runtime": runtime or "heddle", "compiler": compiler or "gcc", "threads": threads}
    if plot is None:
        own_program.start(paths.WAVE, arguments, **chosen)
    raise typer.Exit(plots.plot(Path(plot), own_program.plan(paths.WAVE, **chosen), arguments))
