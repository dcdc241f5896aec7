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
    threads: Annotated[Optional[int], typer.Option(help="Threads of each rank.")] = None,
    ranks: Annotated[int, typer.Option(help="MPI ranks.")] = 1,
) -> None:
    """Run heddle-wave, conservation laws on adaptive patches.

    Everything that is not --runtime, --compiler, --threads or --ranks goes to heddle-wave. Several ranks are started by
    the mpiexec of the MPI that the build has found; each has as many threads as there are processors for it.
    """
    from heddle import own_program, paths

    own_program.start(paths.WAVE, arguments or [], runtime=runtime, compiler=compiler, threads=threads, ranks=ranks)
