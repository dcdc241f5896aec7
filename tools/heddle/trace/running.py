"""Runs a program with one of the tracer's libraries before its own."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from heddle import elf, execution, launch, mpi, paths, runtimes, toolchain
from heddle.errors import UserError

TRACE, TRACE_OF_MPI, PROFILE = "heddle_trace", "heddle_trace_mpi", "heddle_profile"  # targets of the build
_LIBRARIES = {
    TRACE: "libheddle-trace.so",
    TRACE_OF_MPI: "libheddle-trace-mpi.so",
    PROFILE: "libheddle-profile.so",
}
_DIRECTORY_VARIABLE = "HEDDLE_TRACE_DIRECTORY"
_MPI_LIBRARY = re.compile(r"lib(mpi|mpich)\b")
_LAUNCHERS = ("mpiexec", "mpirun", "srun", "orterun", "prterun")


def prepare(program: str, runtime: str, threads: int | None) -> launch.Plan:
    """How the program starts. Errors: UserError where it cannot, or nobody could tell what it does."""
    if runtime == "gnu":
        raise UserError("--runtime gnu: libgomp has no tools interface; choose heddle, or llvm for a program of Clang")
    plan = execution.prepare(program, runtime, threads)
    # The first one that the dynamic linker finds is the process's only tool: OpenMP 5.2, section 19.2.1.
    if elf.is_elf(plan.program) and any(e.name == "ompt_start_tool" for e in elf.read([plan.program])[0].exports):
        raise UserError(
            f"{program} brings a tool of its own (ompt_start_tool), and there is one at a time; link it without that"
        )
    return plan


def library(target: str) -> Path:
    """Builds one of the libraries, where it is not as its sources are, and returns where it is."""
    return toolchain.build_library(target, paths.library(_LIBRARIES[target]))


def run(command: list[str], plan: launch.Plan, preloaded: Path, folder: Path) -> int:
    """Runs the program, whose library writes into the folder; its status, below 0 after a signal.

    Errors: UserError where it cannot start.
    """
    trace_into(folder, preloaded, plan)
    if sys.stdout is not None:  # none where it was closed
        sys.stdout.flush()
    try:
        return subprocess.run(command, executable=plan.program, env=plan.environ).returncode
    except OSError as error:
        raise execution.cannot_start(command[0], error) from None


def trace_into(folder: Path, preloaded: Path, plan: launch.Plan) -> None:
    """Lets a program that starts by this plan write into the folder."""
    runtimes.preload_library(preloaded, plan.environ)
    plan.environ[_DIRECTORY_VARIABLE] = str(folder.resolve())
    plan.environ["OMP_TOOL"] = "enabled"


def tracer_for(program: Path) -> str:
    """The target with the calls of MPI where the program may make some: it needs MPI, or starts other programs.

    Errors: UserError where it uses another MPI than the tracer was built for.
    """
    if not elf.is_elf(program):
        return TRACE_OF_MPI if _has_mpi() else TRACE
    of_mpi = {name for name in _libraries_of(program) if _MPI_LIBRARY.match(name)}
    if not of_mpi:
        return TRACE_OF_MPI if program.name.startswith(_LAUNCHERS) and _has_mpi() else TRACE
    if not _has_mpi():
        if paths.IS_INSTALLED:
            raise UserError(
                f"{program.name} uses MPI; its calls are traced from a clone of Heddle, built with that MPI"
            )
        raise UserError(
            f"{program.name} uses MPI, and this build of Heddle has found none; {paths.COMMAND} doctor says more"
        )
    if not of_mpi & _libraries_of(library(TRACE_OF_MPI)):
        raise UserError(
            f"{program.name} uses another MPI than {_LIBRARIES[TRACE_OF_MPI]}; set HEDDLE_MPI in the build of Heddle"
        )
    return TRACE_OF_MPI


def _libraries_of(binary: Path) -> set[str]:
    """File names of all libraries that the dynamic linker would load."""
    said = subprocess.run(["ldd", str(binary)], capture_output=True, text=True).stdout
    return {line.split()[0] for line in said.splitlines() if line.strip()}


def _has_mpi() -> bool:
    try:
        mpi.launcher()
    except UserError:
        return False
    return True
