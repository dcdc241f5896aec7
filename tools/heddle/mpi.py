"""Starting the ranks of an MPI program, by the mpiexec of the MPI that the build has found."""

from __future__ import annotations

import functools
import os
import re
import subprocess
from pathlib import Path

from heddle import paths
from heddle.errors import UserError

_LIMIT_S = 60

# The builds with an MPI each.
PRESETS = {"release": "MPICH", "openmpi": "Open MPI"}


def threads_for(ranks: int) -> int:
    """Threads of each of so many ranks on the processors of this process: at least one."""
    return max(1, len(os.sched_getaffinity(0)) // ranks)


def command(ranks: int, threads: int, preset: str = "release") -> list[str]:
    """What stands before the program. Ranks that all find room are bound to processors of their own.

    Errors: UserError when the build has found no MPI, or its mpiexec is gone.
    """
    mpiexec = launcher(preset)
    has_room = ranks * threads <= len(os.sched_getaffinity(0))
    start = [str(mpiexec), "-n", str(ranks)]
    if not _is_open_mpi(mpiexec):
        return [*start, *(("-bind-to", f"hwthread:{threads}") if has_room else ())]
    if os.geteuid() == 0:
        start.append("--allow-run-as-root")
    if has_room:
        return [*start, "--use-hwthread-cpus", "--map-by", f"slot:PE={threads}", "--bind-to", "hwthread"]
    return [*start, "--oversubscribe", "--bind-to", "none"]


def launcher(preset: str = "release") -> Path:
    """The mpiexec of that build. Errors: as command()."""
    return _found_by_the_build(preset, "MPIEXEC_EXECUTABLE", "mpiexec for several ranks")


def compiler(preset: str = "release") -> Path:
    """The C compiler of that MPI. Errors: as command()."""
    return _found_by_the_build(preset, "MPI_C_COMPILER", "compiler for MPI programs")


def _found_by_the_build(preset: str, variable: str, meaning: str) -> Path:
    found = paths.configured(preset, variable)
    if found is None or not os.access(found, os.X_OK):
        raise UserError(f"there is no {meaning}; apt-get install mpich libmpich-dev, then {paths.COMMAND} build")
    return Path(found)


@functools.cache
def _is_open_mpi(mpiexec: Path) -> bool:
    said = subprocess.run([mpiexec, "--version"], capture_output=True, text=True, timeout=_LIMIT_S, check=False)
    return re.search(r"Open ?(MPI|RTE)|prte", said.stdout) is not None
