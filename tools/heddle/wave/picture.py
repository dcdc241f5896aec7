"""Draws planes of heddle-wave: values as an image, and the mesh over it or beside it.

A million volumes are one image of pixels, not a million polygons.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import colors, rc_context
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from heddle.look import INK, MUTED, PAPER, STYLE
from heddle.wave import samples

# Dark to bright in even steps; also for those who do not tell red from green.
VALUES = "magma"
_DPI = 160
# Patches narrower than this on paper are a grey veil: then borders of levels alone are drawn.
_LEAST_PATCH_INCH = 0.045
# How bright red, green and blue seem.
_LIGHT = np.array([0.2126, 0.7152, 0.0722])
_EDGE_ON_PALE = "#d3cdbf"
_WIDEST_INCH, _HIGHEST_INCH = 8.6, 7.6


@dataclass(frozen=True)
class Moment:
    """One plane and what is said of it."""

    plane: samples.Plane
    volumes: int  # of a patch along an axis
    title: str
    note: str = ""  # beside the title


def single(moment: Moment, value_label: str, *, is_slice: bool = False) -> bytes:
    """PNG of one plane: values, borders of levels and of patches over them, a bar of colours."""
    along_x, along_y = moment.plane.extent
    scale = min(_WIDEST_INCH / along_x, _HIGHEST_INCH / along_y)
    width, height = along_x * scale, along_y * scale
    with rc_context(STYLE):
        figure = Figure(figsize=(width + 2.0, height + 1.0), dpi=_DPI)
        box = (0.68, 0.55, width, height)
        axes = _axes(figure, box)
        image = draw_values(axes, moment.plane, value_range(moment.plane))
        draw_mesh_lines(axes, moment, image, scale)
        axes.set_xlabel("x")
        axes.set_ylabel("y, in the plane through the middle of z" if is_slice else "y")
        axes.set_title(moment.title, loc="left", fontsize=11, fontweight="bold", pad=8)
        if moment.note:
            axes.set_title(moment.note, loc="right", fontsize=10, color=MUTED, pad=8)
        bar = _axes(figure, (box[0] + width + 0.18, box[1], 0.17, height))
        figure.colorbar(image, cax=bar, label=value_label).outline.set_visible(False)
        bar.tick_params(length=2)
        return png(figure)


def value_range(*planes: samples.Plane) -> tuple[float, float]:
    """From the least value to the most; never empty."""
    least = min(float(plane.value.min()) for plane in planes)
    most = max(float(plane.value.max()) for plane in planes)
    return (least, most) if most > least else (least - 0.5, most + 0.5)


def draw_values(axes: Axes, plane: samples.Plane, limits: tuple[float, float]) -> AxesImage:
    """The values as an image that fills the axes."""
    raster = samples.rasterise(plane)
    rows, columns = raster.value.shape
    image = axes.imshow(
        raster.value,
        origin="lower",
        extent=(0, columns * raster.pixel, 0, rows * raster.pixel),
        cmap=VALUES,
        norm=colors.Normalize(*limits),
        interpolation="auto",
    )
    along_x, along_y = plane.extent
    axes.set_xlim(0, along_x)
    axes.set_ylim(0, along_y)
    return image


def squares_of(squares: samples.Squares, faces: Sequence[str]) -> PolyCollection:
    """The patches in these colours, one each, with fine lines between them."""
    light = colors.to_rgba_array(faces)[:, :3] @ _LIGHT
    edges = np.where(light > 0.8, _EDGE_ON_PALE, "#ffffff")
    return PolyCollection(_corners(squares), facecolors=faces, edgecolors=edges, linewidths=0.4)


def draw_mesh_lines(axes: Axes, moment: Moment, image: AxesImage, inches_per_length: float) -> None:
    """Outlines of patches, and stronger ones where the level changes: pale on dark values, dark on pale ones."""
    squares = samples.patches(moment.plane, moment.volumes)
    is_wide = squares.width * inches_per_length >= _LEAST_PATCH_INCH
    outlines = _corners(squares)[is_wide]
    if len(outlines):
        edges = _readable_on(image, outlines.mean(axis=1))
        axes.add_collection(PolyCollection(outlines, facecolors="none", edgecolors=edges, linewidths=0.3, alpha=0.3))
    borders = samples.level_borders(samples.rasterise(moment.plane))
    if len(borders):
        edges = _readable_on(image, borders.mean(axis=1))
        axes.add_collection(LineCollection(borders, colors=edges, linewidths=0.6, alpha=0.75))


def _readable_on(image: AxesImage, points: np.ndarray) -> np.ndarray:
    """Colours of lines at these places: white, or ink where the image is bright. Shape: (n, 3)."""
    left, right, lower, upper = image.get_extent()
    values = image.get_array()
    rows, columns = values.shape
    row = ((points[:, 1] - lower) / (upper - lower) * rows).astype(int).clip(0, rows - 1)
    column = ((points[:, 0] - left) / (right - left) * columns).astype(int).clip(0, columns - 1)
    light = image.to_rgba(values[row, column])[:, :3] @ _LIGHT
    return np.where((light > 0.5)[:, None], colors.to_rgb(INK), colors.to_rgb("#ffffff"))


def _corners(squares: samples.Squares) -> np.ndarray:
    """Shape: (n, 4 corners, 2 coordinates)."""
    corner = np.stack([squares.x, squares.y], axis=1)
    offsets = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
    return corner[:, None, :] + offsets * squares.width[:, None, None]


def _axes(figure: Figure, box: tuple[float, float, float, float]) -> Axes:
    """Axes at a place in inches: left, lower, width, height."""
    width, height = figure.get_size_inches()
    axes = figure.add_axes((box[0] / width, box[1] / height, box[2] / width, box[3] / height))
    axes.set_facecolor(PAPER)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(length=2, color=MUTED, labelcolor=INK)
    return axes


def png(figure: Figure) -> bytes:
    """The figure as a file."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    return buffer.getvalue()


def moment(plane: samples.Plane, data: dict[str, Any]) -> Moment:
    """The plane with what the run's results say of it."""
    per_level = data["patches_per_level"]
    levels = [level for level, patches in enumerate(per_level) if patches]
    words = f"level {levels[0]}" if len(levels) == 1 else f"levels {levels[0]} to {levels[-1]}"
    patches = f"{data['patches']:,} patches".replace(",", "\u202f")
    volumes = round(data["volumes_per_patch"] ** (1 / data["dim"]))
    return Moment(plane, volumes, f"{data['problem']}, time {data['time']:.4g}", f"{patches} of {words}")


def unknown(data: dict[str, Any]) -> str:
    """The name of what samples files hold: unknown 0."""
    return next(iter(data["conserved"]["begin"]))
