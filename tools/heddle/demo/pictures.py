"""Draws the demo's pictures: cuts through the mesh, the cube from outside, bars.

Colours run from pale (coarse) to deep (fine) in even steps of OKLab lightness, so that the order survives print and
colour blindness; the sphere's outline is the one warm colour.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import patches, pyplot
from matplotlib.collections import PatchCollection, PolyCollection
from matplotlib.figure import Figure

from heddle import colours, whole_file
from heddle.demo import mesh as meshes
from heddle.demo.measure import Timing
from heddle.look import GRID, INK, MUTED, STYLE

SPHERE = "#d1495b"
OWNER_COLOURS = ("#1d4f7c", "#dcae58", "#7fb3b5", "#8a5a83")

# The cut lies inside the lowest layer of the finest blocks; the sphere enters at that corner.
CUT_AXIS = 2
CUT_POSITION = 1 / 64


def four_cuts(moments: Sequence[tuple[int, meshes.Mesh, Sequence[dict]]]) -> bytes:
    """PNG of four cuts. Each moment: timestep, mesh, the objects then (centre and size in the unit cube)."""
    levels = moments[0][1].num_refine + 1
    of_level = colours.of_levels(levels)
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(2, 2, figsize=(9.6, 10.4), dpi=160)
        for axis, (timestep, mesh, objects) in zip(axes.flat, moments):
            plane = meshes.cut(mesh, CUT_AXIS, CUT_POSITION)
            _draw_cut(axis, plane, [of_level[level] for level in plane.level])
            for one in objects:
                _draw_outline(axis, one)
            blocks = f"{len(mesh):,} blocks".replace(",", "\u202f")
            axis.set_title(f"after timestep {timestep}", loc="left", fontsize=11, fontweight="bold", pad=6)
            axis.set_title(blocks, loc="right", fontsize=10, color=MUTED, pad=6)
        _legend(figure, of_level)
        figure.subplots_adjust(left=0.02, right=0.98, top=0.955, bottom=0.075, wspace=0.05, hspace=0.12)
        return _png(figure)


def owners(before: meshes.Mesh, after: meshes.Mesh, timestep: int) -> bytes:
    """PNG of two cuts through the same mesh, coloured by owner: without load balancing, and with it."""
    ranks = int(before.owner.max()) + 1
    with pyplot.rc_context(STYLE):
        figure, axes = pyplot.subplots(1, 2, figsize=(9.6, 5.6), dpi=160)
        for axis, mesh, title in zip(axes, (before, after), ("before balancing", "after balancing")):
            plane = meshes.cut(mesh, CUT_AXIS, CUT_POSITION)
            _draw_cut(axis, plane, [OWNER_COLOURS[owner % len(OWNER_COLOURS)] for owner in plane.owner])
            counts = np.bincount(mesh.owner, minlength=ranks)
            axis.set_title(title, loc="left", fontsize=11, fontweight="bold", pad=6)
            axis.set_title(
                f"{counts.min()} to {counts.max()} blocks a rank", loc="right", fontsize=10, color=MUTED, pad=6
            )
        handles = [
            patches.Patch(facecolor=OWNER_COLOURS[rank % len(OWNER_COLOURS)], label=f"rank {rank}")
            for rank in range(ranks)
        ]
        figure.legend(handles=handles, loc="lower center", ncols=ranks, frameon=False, fontsize=10, handlelength=1.4)
        figure.text(0.98, 0.03, f"after timestep {timestep}", ha="right", fontsize=10, color=MUTED)
        figure.subplots_adjust(left=0.02, right=0.98, top=0.93, bottom=0.1, wspace=0.05)
        return _png(figure)


def cube(mesh: meshes.Mesh, objects: Sequence[dict]) -> bytes:
    """PNG of the whole cube seen from the corner at which the sphere enters: three faces, coloured by level."""
    of_level = colours.of_levels(mesh.num_refine + 1)
    angle = np.pi / 6
    # Screen direction of each axis, away from the corner that looks at us.
    towards = np.array([[np.cos(angle), np.sin(angle)], [-np.cos(angle), np.sin(angle)], [0.0, -1.0]])
    shade = {0: 0.93, 1: 0.86, 2: 1.0}  # light from above
    with pyplot.rc_context(STYLE):
        figure, axis = pyplot.subplots(figsize=(7.2, 7.6), dpi=160)
        for normal in range(3):
            first, second = (d for d in range(3) if d != normal)
            face = meshes.cut(mesh, normal, 0.0)
            corner = np.stack([face.x, face.y], axis=1)
            size = np.stack([face.width, face.height], axis=1)
            offsets = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])
            points = corner[:, None, :] + offsets[None, :, :] * size[:, None, :]
            screen = points[..., :1] * towards[first] + points[..., 1:] * towards[second]
            fill = [colours.shaded(of_level[level], shade[normal]) for level in face.level]
            axis.add_collection(PolyCollection(screen, facecolors=fill, edgecolors="#ffffff", linewidths=0.35))
            for one in objects:
                outline = _face_outline(one, normal, first, second)
                line = outline[:, :1] * towards[first] + outline[:, 1:] * towards[second]
                for colour, width in (("#ffffff", 3.6), (SPHERE, 1.8)):
                    axis.plot(line[:, 0], line[:, 1], color=colour, linewidth=width, solid_capstyle="butt", zorder=3)
        axis.set_xlim(-0.92, 0.92)
        axis.set_ylim(-1.04, 1.04)
        axis.set_aspect("equal")
        axis.axis("off")
        figure.subplots_adjust(left=0, right=1, top=1, bottom=0)
        return _png(figure)


def bars(timings: Sequence[Timing], rounds: int) -> str:
    """SVG of the times: one group a way, one bar a runtime, whiskers from the shortest to the longest run."""
    ways = list(dict.fromkeys(timing.way for timing in timings))
    names = list(dict.fromkeys(timing.runtime.name for timing in timings))
    height = 0.8 / len(names)
    longest = max(max(timing.seconds) for timing in timings)
    with pyplot.rc_context({**STYLE, "svg.fonttype": "none"}):
        figure, axis = pyplot.subplots(figsize=(9.6, 0.42 * len(ways) * len(names) / 2 + 1.3))
        for timing in timings:
            row = ways.index(timing.way)
            y = row + (names.index(timing.runtime.name) - (len(names) - 1) / 2) * height
            seconds = timing.median_seconds
            axis.barh(y, seconds, height * 0.86, color=colours.RUNTIMES[timing.runtime.name], zorder=2)
            if rounds > 1:
                axis.hlines(y, min(timing.seconds), max(timing.seconds), color=INK, linewidth=0.9, zorder=3)
            axis.text(max(timing.seconds) + longest * 0.01, y, f"{seconds:.2f}", va="center", fontsize=8, color=MUTED)
        axis.set_yticks(range(len(ways)), ways)
        axis.invert_yaxis()
        axis.set_xlim(0, longest * 1.08)
        axis.set_xlabel("seconds a run; shorter is better")
        axis.grid(axis="x", color=GRID, linewidth=0.8, zorder=0)
        axis.tick_params(length=0)
        for side in ("top", "right", "left", "bottom"):
            axis.spines[side].set_visible(False)
        titles = {timing.runtime.name: timing.runtime.title for timing in timings}
        handles = [patches.Patch(color=colours.RUNTIMES[name], label=titles[name]) for name in names]
        axis.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=3, frameon=False, borderaxespad=0)
        figure.tight_layout()
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
        pyplot.close(figure)
        text = buffer.getvalue()
        return text[text.index("<svg") :]


def save(data: bytes | str, path: Path) -> None:
    """Writes a picture."""
    whole_file.put(path, data if isinstance(data, bytes) else data.encode())


def _draw_cut(axis: pyplot.Axes, plane: meshes.Cut, fill: Sequence[str]) -> None:
    squares = [patches.Rectangle((x, y), w, h) for x, y, w, h in zip(plane.x, plane.y, plane.width, plane.height)]
    axis.add_collection(PatchCollection(squares, facecolors=fill, edgecolors="#ffffff", linewidths=0.6))
    axis.set_xlim(-0.004, 1.004)
    axis.set_ylim(-0.004, 1.004)
    axis.set_aspect("equal")
    axis.axis("off")


def _draw_outline(axis: pyplot.Axes, one: dict) -> None:
    """The circle in which the plane cuts a sphere (an ellipse, for unequal half-sizes)."""
    away = (CUT_POSITION - one["center"][CUT_AXIS]) / one["size"][CUT_AXIS]
    if abs(away) >= 1:
        return
    scale = np.sqrt(1 - away**2)
    for colour, width in (("#ffffff", 3.6), (SPHERE, 1.8)):
        outline = patches.Ellipse(
            one["center"][:2],
            2 * one["size"][0] * scale,
            2 * one["size"][1] * scale,
            fill=False,
            edgecolor=colour,
            linewidth=width,
        )
        axis.add_patch(outline)


def _face_outline(one: dict, normal: int, first: int, second: int) -> np.ndarray:
    """Where the object's surface meets the face of the unit cube at 0; points outside the face are not numbers."""
    away = one["center"][normal] / one["size"][normal]
    turn = np.linspace(0, 2 * np.pi, 1441)
    if abs(away) >= 1:
        return np.full((1, 2), np.nan)
    scale = np.sqrt(1 - away**2)
    x = one["center"][first] + one["size"][first] * scale * np.cos(turn)
    y = one["center"][second] + one["size"][second] * scale * np.sin(turn)
    inside = (x >= 0) & (x <= 1) & (y >= 0) & (y <= 1)
    return np.where(inside[:, None], np.stack([x, y], axis=1), np.nan)


def _legend(figure: Figure, of_level: Sequence[str]) -> None:
    handles = [
        patches.Patch(facecolor=colour, edgecolor="#c9c4b8", label=f"level {level}")
        for level, colour in enumerate(of_level)
    ]
    handles.append(pyplot.Line2D([], [], color=SPHERE, linewidth=1.8, label="sphere"))
    figure.legend(handles=handles, loc="lower center", ncols=len(handles), frameon=False, fontsize=10, handlelength=1.4)


def _png(figure: Figure) -> bytes:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": None})
    pyplot.close(figure)
    return buffer.getvalue()
