"""Samples files of heddle-wave, as arrays: volumes, pixels and patches.

The grids of all levels start in the corner of the domain, and a volume's width is a whole number of finer ones. So
everything here is whole numbers of the finest width.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

_HEADER = "x,y,width,value,level"


@dataclass
class Plane:
    """The volumes in a plane. Shape: n each. Units: those of the domain."""

    x: np.ndarray  # centre
    y: np.ndarray
    width: np.ndarray
    value: np.ndarray
    level: np.ndarray

    @property
    def finest(self) -> float:
        return float(self.width.min())

    @property
    def size(self) -> np.ndarray:
        """Widths, in finest ones."""
        return self._whole(self.width)

    @property
    def column(self) -> np.ndarray:
        """Where volumes begin, in finest widths."""
        return self._whole(self.x - 0.5 * self.width)

    @property
    def row(self) -> np.ndarray:
        return self._whole(self.y - 0.5 * self.width)

    @property
    def cells(self) -> tuple[int, int]:
        """Finest widths of the domain along x and y."""
        return int((self.column + self.size).max()), int((self.row + self.size).max())

    @property
    def extent(self) -> tuple[float, float]:
        """Lengths of the domain along x and y."""
        along_x, along_y = self.cells
        return along_x * self.finest, along_y * self.finest

    def _whole(self, lengths: np.ndarray) -> np.ndarray:
        return np.rint(lengths / self.finest).astype(np.int64)

    def __len__(self) -> int:
        return len(self.value)


@dataclass
class Raster:
    """The plane as pixels. Shape: (rows, columns), rows from below."""

    value: np.ndarray  # means over the pixel; not a number where no volume is
    level: np.ndarray  # the finest in the pixel; -1 where no volume is
    pixel: float  # width


@dataclass
class Squares:
    """The patches that the plane cuts. Shape: n each. Units: those of the domain."""

    x: np.ndarray  # lower left corner
    y: np.ndarray
    width: np.ndarray
    level: np.ndarray

    def __len__(self) -> int:
        return len(self.x)


def read(path: Path) -> Plane:
    """Reads one file. Errors: ValueError when it is no samples file, or holds no volume."""
    with path.open(encoding="utf-8") as file:
        if file.readline().strip() != _HEADER:
            raise ValueError(f"{path.name} does not start like a samples file")
        numbers = np.loadtxt(file, delimiter=",", ndmin=2)
    if numbers.size == 0:
        raise ValueError(f"{path.name} holds no volume")
    if numbers.shape[1] != 5:
        raise ValueError(f"{path.name} has rows of {numbers.shape[1]} numbers instead of 5")
    x, y, width, value, level = numbers.T
    if not (np.isfinite([x, y, width]).all() and (width > 0).all() and (abs(level) < 64).all()):  # values: any
        raise ValueError(f"{path.name} has volumes without a place or a width")
    return Plane(x, y, width, value, level.astype(np.int64))


def rasterise(plane: Plane, most: int = 4096) -> Raster:
    """One pixel a finest volume, or coarser pixels where that were more than `most` along an axis.

    A pixel inside a volume has its value, to the bit; one with several volumes has their mean over the area.
    """
    size, column, row = plane.size, plane.column, plane.row
    pixel = _pixel(size, max(plane.cells), most)
    columns, rows = (-(-cells // pixel) for cells in plane.cells)
    total, area = np.zeros((rows, columns)), np.zeros((rows, columns))
    level = np.full((rows, columns), -1, dtype=np.int64)
    for one in np.unique(size):
        mine = size == one
        at_row, at_column, value = row[mine] // pixel, column[mine] // pixel, plane.value[mine]
        if one >= pixel:
            span = np.arange(one // pixel)
            where = (at_row[:, None, None] + span[:, None], at_column[:, None, None] + span)
            total[where] = value[:, None, None]
            area[where] = 1.0
            level[where] = plane.level[mine][:, None, None]
        else:
            share = (one / pixel) ** 2
            index = at_row * columns + at_column
            total += share * np.bincount(index, value, rows * columns).reshape(rows, columns)
            area += share * np.bincount(index, minlength=rows * columns).reshape(rows, columns)
            np.maximum.at(level, (at_row, at_column), plane.level[mine])
    with np.errstate(invalid="ignore"):
        return Raster(total / area, level, pixel * plane.finest)


def _pixel(size: np.ndarray, cells: int, most: int) -> int:
    """Finest widths of a pixel: a level's width, or whole multiples of the coarsest where those are too many."""
    widths = [int(one) for one in np.unique(size)]
    for width in widths:
        if cells <= width * most:
            return width
    return widths[-1] * -(-cells // (widths[-1] * most))


def patches(plane: Plane, volumes: int) -> Squares:
    """The patches, each once; volumes: of a patch along an axis."""
    size = plane.size * volumes
    keys = np.stack([plane.column // size, plane.row // size, size, plane.level], axis=1)
    column, row, size, level = np.unique(keys, axis=0).T
    width = size * plane.finest
    return Squares(column * width, row * width, width, level)


def level_borders(raster: Raster) -> np.ndarray:
    """Where the level changes, as straight lines. Shape: (n, 2 ends, 2 coordinates). Units: those of the domain."""
    flat = _runs(np.diff(raster.level, axis=0) != 0)
    upright = _runs(np.diff(raster.level, axis=1).T != 0)[..., ::-1]
    return np.concatenate([flat, upright]) * raster.pixel


def _runs(differs: np.ndarray) -> np.ndarray:
    """Lines on the upper border of the rows in which `differs` holds. Shape: (n, 2 ends, 2: along, across)."""
    padded = np.pad(differs.astype(np.int8), ((0, 0), (1, 1)))
    change = np.diff(padded, axis=1)
    row, begin = np.nonzero(change == 1)
    _, end = np.nonzero(change == -1)
    return np.stack([np.stack([begin, row + 1], axis=1), np.stack([end, row + 1], axis=1)], axis=1)
