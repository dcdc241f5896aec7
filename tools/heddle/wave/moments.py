"""Pictures of one simulation at several moments: the values above, the mesh that they are computed on below.

The problems shown are symmetric about their middle, so that each half stands for the whole.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib import patches, rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from heddle import colours
from heddle.look import INK, MUTED, STYLE
from heddle.wave import picture, samples

_DPI = 160
_WIDTH_INCH = 9.6
_GAP_INCH, _TITLE_INCH, _LEGEND_INCH = 0.16, 0.36, 0.62


def draw(moments: Sequence[picture.Moment], value_label: str, *, columns: int) -> bytes:
    """PNG of all moments, so many beside each other, with one scale of values and one of levels."""
    along_x, along_y = moments[0].plane.extent
    width = (_WIDTH_INCH - (columns - 1) * _GAP_INCH) / columns
    height = width * along_y / along_x
    rows = -(-len(moments) // columns)
    whole = rows * (height + _TITLE_INCH) + _LEGEND_INCH
    limits = picture.value_range(*(moment.plane for moment in moments))
    levels = [int(level) for level in np.unique(np.concatenate([moment.plane.level for moment in moments]))]
    of_level = dict(zip(levels, colours.of_levels(len(levels))))
    with rc_context(STYLE):
        figure = Figure(figsize=(_WIDTH_INCH, whole), dpi=_DPI)
        image = None
        for i, moment in enumerate(moments):
            left = (i % columns) * (width + _GAP_INCH)
            lower = whole - (i // columns + 1) * (height + _TITLE_INCH)
            box = (left / _WIDTH_INCH, lower / whole, width / _WIDTH_INCH, height / whole)
            axes = figure.add_axes(box)
            image = _draw_halves(axes, moment, limits, of_level)
        _legend(figure, of_level, whole)
        bar = figure.add_axes((0.68, 0.30 / whole, 0.30, 0.13 / whole))
        figure.colorbar(image, cax=bar, orientation="horizontal").outline.set_visible(False)
        bar.tick_params(length=2, labelsize=9, color=MUTED, labelcolor=INK)
        figure.text(0.67, 0.365 / whole, value_label, ha="right", va="center", fontsize=10)
        return picture.png(figure)


def hero(moment: picture.Moment) -> bytes:
    """PNG of one moment, values and mesh over each other, without any words: for the head of a page."""
    along_x, along_y = moment.plane.extent
    with rc_context(STYLE):
        figure = Figure(figsize=(_WIDTH_INCH, _WIDTH_INCH * along_y / along_x), dpi=_DPI)
        axes = figure.add_axes((0, 0, 1, 1))
        image = picture.draw_values(axes, moment.plane, picture.value_range(moment.plane))
        picture.draw_mesh_lines(axes, moment, image, _WIDTH_INCH / along_x)
        axes.axis("off")
        return picture.png(figure)


def _draw_halves(
    axes: Axes, moment: picture.Moment, limits: tuple[float, float], of_level: dict[int, str]
) -> AxesImage:
    along_x, along_y = moment.plane.extent
    upper = patches.Rectangle((0, 0.5 * along_y), along_x, 0.5 * along_y, transform=axes.transData)
    lower = patches.Rectangle((0, 0), along_x, 0.5 * along_y, transform=axes.transData)
    image = picture.draw_values(axes, moment.plane, limits)
    image.set_clip_path(upper)
    squares = samples.patches(moment.plane, moment.volumes)
    mesh = picture.squares_of(squares, [of_level[int(level)] for level in squares.level])
    axes.add_collection(mesh)
    mesh.set_clip_path(lower)
    axes.axhline(0.5 * along_y, color="#ffffff", linewidth=1.0)
    axes.axis("off")
    axes.set_title(moment.title, loc="left", fontsize=11, fontweight="bold", pad=5)
    axes.set_title(moment.note, loc="right", fontsize=9, color=MUTED, pad=5)
    return image


def _legend(figure: Figure, of_level: dict[int, str], height: float) -> None:
    handles = [
        patches.Patch(facecolor=colour, edgecolor="#c9c4b8", label=f"level {level}")
        for level, colour in of_level.items()
    ]
    figure.legend(
        handles=handles,
        loc="center left",
        bbox_to_anchor=(0.0, 0.365 / height),
        ncols=len(handles),
        frameon=False,
        fontsize=10,
        handlelength=1.4,
        borderaxespad=0,
        borderpad=0,
    )
