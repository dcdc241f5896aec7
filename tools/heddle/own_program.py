"""Starts a program of ours on one of the runtimes, on as many ranks as asked for."""

from __future__ import annotations

import os

from heddle import launch, mpi, paths, runtimes, toolchain
from heddle.errors import UserError


def start(name: str, arguments: list[str], *, runtime: str, compiler: str, threads: int | None, ranks: int = 1) -> None:
    """Builds what is not built and becomes the program. threads: of each rank.

    Errors: UserError for what does not exist or is not to be had.
    """
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
    program = toolchain.build_program(name, compiler)
    if ranks == 1:
        plan = launch.plan(str(program), runtime, threads)
        os.execve(plan.program, [name, *arguments], plan.environ)
    threads = threads or mpi.threads_for(ranks)
    plan = launch.plan(str(program), runtime, threads)
    command = [*mpi.command(ranks, threads, paths.COMPILER_PRESETS[compiler]), str(plan.program), *arguments]
    os.execve(command[0], command, plan.environ)
