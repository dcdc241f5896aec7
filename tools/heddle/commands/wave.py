"""heddle wave: heddle-wave on any of the runtimes."""

from __future__ import annotations

from typing import Annotated, Optional

import typer


def wave(
    arguments: Annotated[
        Optional[list[str]], typer.Argument(metavar="[ARGS]...", help="Options of heddle-wave.")
    ] = None,
    runtime: Annotated[str, typer.Option(help="heddle, gnu (libgomp) or llvm (libomp).")] = "heddle",
    compiler: Annotated[str, typer.Option(help="gcc or clang: who built the program.")] = "gcc",
    threads: Annotated[Optional[int], typer.Option(help="Threads.")] = None,
) -> None:
    """Run heddle-wave, conservation laws on adaptive patches.

    Everything that is not --runtime, --compiler or --threads goes to heddle-wave.
    """
    from heddle import own_program, paths

    own_program.start(paths.WAVE, arguments or [], runtime=runtime, compiler=compiler, threads=threads)
