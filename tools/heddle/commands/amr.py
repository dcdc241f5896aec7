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
    threads: Annotated[Optional[int], typer.Option(help="Threads of the team.")] = None,
) -> None:
    """Run heddle-amr, the adaptive-mesh program.

    Everything that is not --runtime, --compiler or --threads goes to heddle-amr.
    """
    from heddle import launch, paths, runtimes, toolchain
    from heddle.errors import UserError

    if compiler not in paths.COMPILER_PRESETS:
        raise UserError(f"--compiler {compiler}: there are {', '.join(paths.COMPILER_PRESETS)}")
    if runtime not in runtimes.NAMES:
        raise UserError(f"--runtime {runtime}: there are {', '.join(runtimes.NAMES)}")
    if runtime == "heddle":
        toolchain.build_runtime()
    program = toolchain.build_amr(compiler)
    plan = launch.plan(str(program), runtime, threads)
    os.execve(plan.program, ["heddle-amr", *(arguments or [])], plan.environ)
