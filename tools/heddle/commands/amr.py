"""heddle amr: heddle-amr on any of the runtimes."""

from __future__ import annotations

import os
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
    from heddle import launch, mpi, paths, runtimes, toolchain
    from heddle.errors import UserError

    if compiler not in paths.COMPILER_PRESETS:
        raise UserError(f"--compiler {compiler}: there are {', '.join(paths.COMPILER_PRESETS)}")
    if runtime not in runtimes.NAMES:
        raise UserError(f"--runtime {runtime}: there are {', '.join(runtimes.NAMES)}")
    if ranks < 1:
        raise UserError(f"--ranks {ranks}: give 1 or more")
    if threads is not None and threads < 1:
        raise UserError(f"--threads {threads}: give 1 or more")
    if runtime == "heddle":
        toolchain.build_runtime()
    program = toolchain.build_amr(compiler)
    if ranks == 1:
        plan = launch.plan(str(program), runtime, threads)
        os.execve(plan.program, ["heddle-amr", *(arguments or [])], plan.environ)
    threads = threads or mpi.threads_for(ranks)
    plan = launch.plan(str(program), runtime, threads)
    command = [*mpi.command(ranks, threads, paths.COMPILER_PRESETS[compiler]), str(plan.program), *(arguments or [])]
    os.execve(command[0], command, plan.environ)
