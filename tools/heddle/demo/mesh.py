"""Plot files of heddle-amr, and cuts through the mesh they hold.

Mesh units: the cube is 2^(num_refine + 1) units wide for each root block along an axis; a block of level l has
half-width 2^(num_refine - l). Centres are therefore whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

_MOST = 1 << 62
_MOST_LEVELS = 60  # of a block's place in 64 bits


@dataclass
class Mesh:
    """Leaves of one moment. Shape: level (n), centre (n, 3), owner (n), all in the file's order."""

    num_refine: int
    extent: np.ndarray  # of the domain, per axis, in mesh units
    level: np.ndarray
    centre: np.ndarray
    owner: np.ndarray  # ranks

    @property
    def half_width(self) -> np.ndarray:
        return 2 ** (self.num_refine - self.level)

    def __len__(self) -> int:
        return len(self.level)


@dataclass
class Cut:
    """Squares that a plane cuts out of the mesh, in units of the domain. Shape: n each."""

    x: np.ndarray  # lower left corner
    y: np.ndarray
    width: np.ndarray
    height: np.ndarray
    level: np.ndarray
    owner: np.ndarray


def read(path: Path) -> Mesh:
    """Reads one plot file. Errors: ValueError when it is not one."""
    numbers = [
        [int(word) for word in line.split()] for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    if any(abs(number) >= _MOST for row in numbers for number in row):
        raise ValueError(f"{path.name} has numbers that no mesh has")
    if not numbers or len(numbers[0]) != 5:
        raise ValueError(f"{path.name} does not start like a plot file")
    total, num_refine, *roots = numbers[0]
    # Each rank's blocks follow the line that says how many they are.
    blocks = np.array([row for row in numbers[1:] if len(row) == 4], dtype=np.int64).reshape(-1, 4)
    counts = [row[0] for row in numbers[1:] if len(row) == 1]
    if len(blocks) != total or sum(counts) != total or min(counts, default=0) < 0:
        raise ValueError(f"{path.name} announces {total} blocks and lists {len(blocks)}")
    if not 0 <= num_refine <= _MOST_LEVELS:
        raise ValueError(f"{path.name} has {num_refine} levels of refinement")
    owner = np.repeat(np.arange(len(counts)), counts)
    extent = np.array(roots, dtype=np.int64) * 2 ** (num_refine + 1)
    return Mesh(num_refine, extent, blocks[:, 0], blocks[:, 1:], owner)


def file_name(timestep: int, timesteps: int) -> str:
    """Name of the plot file of a timestep in a run of so many."""
    digits = 0
    while 10**digits < timesteps:
        digits += 1
    return f"plot.{timestep:0{digits + 1}d}"


def cut(mesh: Mesh, axis: int, position: float) -> Cut:
    """Cuts the mesh by the plane perpendicular to the axis at a position in [0, 1)."""
    at = position * mesh.extent[axis]
    half = mesh.half_width
    hit = (mesh.centre[:, axis] - half <= at) & (at < mesh.centre[:, axis] + half)
    first, second = (d for d in range(3) if d != axis)
    return Cut(
        x=(mesh.centre[hit, first] - half[hit]) / mesh.extent[first],
        y=(mesh.centre[hit, second] - half[hit]) / mesh.extent[second],
        width=2 * half[hit] / mesh.extent[first],
        height=2 * half[hit] / mesh.extent[second],
        level=mesh.level[hit],
        owner=mesh.owner[hit],
    )
