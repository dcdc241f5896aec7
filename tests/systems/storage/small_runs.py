"""heddle-amr and heddle-wave as the tests of their files start them."""

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from heddle import launch, mpi
from heddle.patience import scaled

LIMIT_S = 60
# Ranks along the axes for so many; the initial mesh has twelve blocks along x, so that it is the same for all.
_GRIDS = {1: 1, 2: 2, 3: 3, 4: 4}
_BLOCKS = 12


@dataclass(frozen=True)
class AmrInput:
    """A sphere that moves through blocks of 4 x 6 x 8 cells."""

    num_vars: int = 5
    timesteps: int = 6

    def words(self, ranks: int = 1) -> list[str]:
        return (
            f"--npx {_GRIDS[ranks]} --init_x {_BLOCKS // ranks} --init_y 2 --nx 4 --ny 6 --nz 8 --num_refine 2 "
            f"--max_blocks 4000 --refine_freq 4 --num_tsteps {self.timesteps} --stages_per_ts 3 --checksum_freq 1 "
            f"--num_vars {self.num_vars} --num_objects 1 --object 2 0 0.1 0.3 0.3 0.05 0.02 0.01 0.2 0.2 0.2 0 0 0 "
            "--initial-values block --report_perf 0"
        ).split()


AMR_INPUT = AmrInput()
WAVE_INPUTS = {
    "2-D, ratio 3": "--problem sedov --dim 2 --volumes 6 --max_level 2 --regrid_freq 3 --max_steps 10".split(),
    "3-D, ratio 2": (
        "--problem entropy-wave --criterion ball --ball 0.3,9,0.2 --dim 3 --ratio 2 --volumes 4 --max_level 2 "
        "--regrid_freq 3 --max_steps 8"
    ).split(),
    "2-D, ratio 2, second order": (
        "--problem sedov --scheme muscl-hancock --dim 2 --ratio 2 --volumes 6 --max_level 3 --regrid_freq 3 "
        "--max_steps 10"
    ).split(),
}


def opened(program: Path, words: list[str], folder: Path, *, ranks: int = 1, threads: int = 1) -> subprocess.Popen:
    """Started in that folder, in a session of its own."""
    plan = launch.plan(str(program), "heddle", threads)
    command = [*(mpi.command(ranks, threads) if ranks > 1 else []), str(plan.program), *words]
    return subprocess.Popen(
        command,
        env=plan.environ,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def start(program: Path, words: list[str], folder: Path, **how) -> subprocess.CompletedProcess:
    """Runs it to its end, in that folder."""
    with opened(program, words, folder, **how) as process:
        try:
            out, err = process.communicate(timeout=scaled(LIMIT_S))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@contextlib.contextmanager
def disk(folder: Path, options: str) -> Iterator[Path]:
    """A file system of its own, mounted there: tests of full disks have to be root."""
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def results(program: Path, words: list[str], folder: Path, **how) -> dict:
    done = start(program, [*words, "--quiet", "--results", "results.json"], folder, **how)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), done.stderr
    return json.loads((folder / "results.json").read_text())


def amr_run(
    program: Path, folder: Path, words: list[str], *, ranks: int = 1, threads: int = 1, variant: str = "loop"
) -> dict:
    """Its results."""
    amrex = ["--plot_format", "amrex"] if "--plot_freq" in words else []
    given = [*AMR_INPUT.words(ranks), *amrex, "--variant", variant, *words]
    return results(program, given, folder, ranks=ranks, threads=threads)


def wave_run(program: Path, folder: Path, name: str, words: list[str], **how) -> dict:
    """Its results."""
    return results(program, [*WAVE_INPUTS[name], *words], folder, **how)
