"""Small programs for tests/systems/ranks: compiled for one of the MPIs, and started on ranks."""

import subprocess
import time
from pathlib import Path

from heddle import mpi
from heddle.patience import scaled

HERE = Path(__file__).parent
_LOOKS_EVERY_S = 2

# heddle-amr on two blocks, which it splits and joins again, for three steps.
SMALL = (
    "--npx 2 --npy 2 --init_x 1 --init_y 1 --init_z 2 --num_refine 2 --nx 4 --ny 4 --nz 8 --num_vars 3 --refine_freq 1 "
    "--num_tsteps 3 --stages_per_ts 2 --initial-values block --quiet --num_objects 1 "
    "--object 2 0 0.25 0.3 0.35 0.05 0.03 0.02 0.16 0.17 0.15 0 0 0"
).split()


def built(source: str, folder: Path, preset: str, *flags: str | Path) -> Path:
    made = folder / Path(source).stem
    subprocess.run([mpi.compiler(preset), "-O1", HERE / source, "-o", made, *flags], check=True)
    return made


def words(ranks: int, preset: str, command: list, **variables: str) -> list:
    """What starts the command on so many ranks, with these variables in the environment of each."""
    return [*mpi.command(ranks, 2, preset), "env", *(f"{name}={value}" for name, value in variables.items()), *command]


def started(ranks: int, preset: str, command: list, folder: Path, limit_s: float = 120, **variables):
    """Runs it to its end.

    That is the end of its ranks: where one aborts, mpiexec of Open MPI 4.1 may crash or wait for itself in
    PMIx_server_finalize() when all of them are gone (2 of 40 times on a busy machine), whatever the program.
    """
    line = words(ranks, preset, command, **variables)
    last = time.monotonic() + scaled(limit_s)
    with subprocess.Popen(line, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as job:
        waits_for_itself = False
        while True:
            try:
                said = job.communicate(timeout=_LOOKS_EVERY_S)
                break
            except subprocess.TimeoutExpired:
                is_late = time.monotonic() > last
                had_ended, waits_for_itself = waits_for_itself, _children_have_ended(job.pid)
                if is_late or (had_ended and waits_for_itself):
                    job.kill()
                if is_late and not waits_for_itself:
                    raise
    return subprocess.CompletedProcess(line, job.returncode, *said)


def _children_have_ended(pid: int) -> bool:
    """Every process that it has started waits to be asked for its exit status."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    states = [
        Path(f"/proc/{child}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] for child in children
    ]
    return states != [] and set(states) == {"Z"}
