"""heddle amr: heddle-amr on any of the runtimes."""

from typing import Annotated, Optional

import typer


def amr(
    arguments: Annotated[
        Optional[list[str]], typer.Argument(metavar="[ARGS]...", help="Options of heddle-amr.")
    ] = None,
    runtime: Annotated[str, typer.Option(help="heddle, gnu (libgomp) or llvm (libomp).")] = "heddle",
    compiler: Annotated[str, typer.Option(help="gcc or clang: who built the program.")] = "gcc",
    threads: Annotated[Optional[int], typer.Option(help="Threads of each rank.")] = None,
    ranks: Annotated[int, typer.Option(help="MPI ranks; --npx, --npy and --npz say how they stand.")] = 1,
) -> None:
    """Run heddle-amr, the adaptive-mesh program.

    Everything that is not --runtime, --compiler, --threads or --ranks goes to heddle-amr. Several ranks are started by
    the mpiexec of the MPI that the build has found; each has as many threads as there are processors for it.
    """
    from heddle import own_program, paths

    own_program.start(paths.AMR, arguments or [], runtime=runtime, compiler=compiler, threads=threads, ranks=ranks)
