"""Small programs for tests/ranks: compiled for one of the MPIs, and started on ranks."""

import subprocess
from pathlib import Path

from heddle import mpi
from heddle.patience import scaled

HERE = Path(__file__).parent


def built(source: str, folder: Path, preset: str, *flags: str | Path) -> Path:
    made = folder / Path(source).stem
    subprocess.run([mpi.compiler(preset), "-O1", HERE / source, "-o", made, *flags], check=True)
    return made


def words(ranks: int, preset: str, command: list, **variables: str) -> list:
    """What starts the command on so many ranks, with these variables in the environment of each."""
    return [*mpi.command(ranks, 2, preset), "env", *(f"{name}={value}" for name, value in variables.items()), *command]


def started(ranks: int, preset: str, command: list, folder: Path, limit_s: float = 120, **variables):
    """Runs it to its end."""
    line = words(ranks, preset, command, **variables)
    return subprocess.run(line, cwd=folder, capture_output=True, text=True, timeout=scaled(limit_s))
