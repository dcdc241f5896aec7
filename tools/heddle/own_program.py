"""Starts a program of ours on one of the runtimes, on as many ranks as asked for."""

from __future__ import annotations

import os

from heddle import launch, mpi, paths, runtimes, toolchain
from heddle.errors import UserError


def start(name: str, arguments: list[str], *, runtime: str, compiler: str, threads: int | None, ranks: int = 1) -> None:
    """Builds what is not built and becomes the program. threads: of each rank.

    Errors: UserError for what does not exist or is not to be had.
    """
    if ranks < 1:
        raise UserError(f"--ranks {ranks}: give 1 or more")
    if ranks > 1 and threads is None:
        threads = mpi.threads_for(ranks)
    ready = plan(name, runtime=runtime, compiler=compiler, threads=threads)
    if ranks == 1:
        os.execve(ready.program, [name, *arguments], ready.environ)
    command = [*mpi.command(ranks, threads, paths.COMPILER_PRESETS[compiler]), str(ready.program), *arguments]
    os.execve(command[0], command, ready.environ)


def plan(name: str, *, runtime: str, compiler: str, threads: int | None) -> launch.Plan:
    """Builds what is not built; how the program starts then. Errors: as those of start()."""
    if compiler not in paths.COMPILER_PRESETS:
        raise UserError(f"--compiler {compiler}: there are {', '.join(paths.COMPILER_PRESETS)}")
    if runtime not in runtimes.NAMES:
        raise UserError(f"--runtime {runtime}: there are {', '.join(runtimes.NAMES)}")
    if threads is not None and threads < 1:
        raise UserError(f"--threads {threads}: give 1 or more")
    if runtime == "heddle":
        toolchain.build_runtime()
    return launch.plan(str(toolchain.build_program(name, compiler)), runtime, threads)
