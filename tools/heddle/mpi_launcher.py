"""What has started this process as one of several ranks, and whether that is a launcher of its program's MPI.

Under a launcher of another MPI each process is a program of one rank, and all of them write the same files. That is
known before a program starts: launchers set variables, and the dynamic linker says which MPI a program loads. In case
of doubt the program starts: some MPIs understand several launchers, by a library for one of their protocols.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from heddle.errors import UserError

MPICH, OPEN_MPI, SLURM = "MPICH", "Open MPI", "Slurm"

# Intel MPI, MVAPICH and Cray's are MPICH's kin, with the names of its ABI. Open MPI needs a library of its own.
_OF_OPEN_MPI = re.compile(r"lib(open-pal|open-rte|prrte)\b|libmpi\.so\.[2-9]\d")
_OF_MPICH = re.compile(r"libmpich\b|libmpi(_\w+)?\.so\.(0|12)$")
_OF_PROTOCOLS = re.compile(r"lib(pmi\d?|pmix|pals|flux)\b")
_PROTOCOLS = ("PMI_FD", "PMI_PORT", "PMI_RANK", "PMI_CONTROL_PORT", "PMIX_RANK", "PALS_RANKID", "FLUX_URI")


@dataclass(frozen=True)
class Launch:
    """launcher: whose it is; command: as one writes it; ranks: how many processes it has started."""

    launcher: str
    command: str
    ranks: int


def of_this_process(environ: Mapping[str, str] = os.environ) -> Launch | None:
    """What has started it as one of several; None where that is not known."""
    found = None
    if "OMPI_COMM_WORLD_RANK" in environ:
        found = Launch(OPEN_MPI, "mpiexec", _number(environ, "OMPI_COMM_WORLD_SIZE"))
    elif "SLURM_PROCID" in environ and "MPI_LOCALNRANKS" not in environ:
        found = Launch(SLURM, "srun", _number(environ, "SLURM_STEP_NUM_TASKS"))
    elif "PMI_RANK" in environ and ("PMI_FD" in environ or "PMI_PORT" in environ):
        found = Launch(MPICH, "mpiexec", _number(environ, "PMI_SIZE"))
    return found if found is not None and found.ranks > 1 else None


def _number(environ: Mapping[str, str], name: str) -> int:
    value = environ.get(name, "")
    return int(value) if re.fullmatch(r"\d{1,9}", value) else 0


def mpi_of(libraries: Iterable[str]) -> str | None:
    """Which MPI is among these names of libraries; None for none, or another one."""
    names = [os.path.basename(name) for name in libraries]
    if any(_OF_OPEN_MPI.match(name) for name in names):
        return OPEN_MPI
    return MPICH if any(_OF_MPICH.match(name) for name in names) else None


def refuse_another(program: str, libraries: Iterable[str], environ: Mapping[str, str]) -> None:
    """Errors: UserError where the program, which loads these libraries, would be many programs of one rank each."""
    launch = of_this_process(environ)
    libraries = list(libraries)
    mpi = mpi_of(libraries)
    if launch is None or mpi is None or launch.launcher == mpi:
        return
    speaks_others = any(_OF_PROTOCOLS.match(os.path.basename(name)) for name in libraries)
    if launch.launcher == SLURM:
        if speaks_others or any(name in environ for name in ("I_MPI_PMI_LIBRARY", *_PROTOCOLS)):
            return
        raise UserError(
            f"{program} uses {mpi}, and srun has started it {launch.ranks} times without the process manager that MPI "
            "asks for: each would be alone; give srun --mpi=pmi2 or --mpi=pmix, or start it with mpiexec"
        )
    if launch.launcher == OPEN_MPI and (speaks_others or "PMI_RANK" in environ):
        return
    raise UserError(
        f"{program} uses {mpi}, and the mpiexec of {launch.launcher} has started it {launch.ranks} times: each "
        f"would be alone; start it with {mpi}'s mpiexec"
    )
