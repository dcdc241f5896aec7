"""Draws one execution of a graph with as many threads as it can use.

Above, each task as a bar from its start to its end, in lanes, coloured by construct; the tasks of the critical path lie
in a row of their own below the others. Below, how many tasks there are at once. Both panels share the axis of time.
"""

from __future__ import annotations

import io
import os

import matplotlib

matplotlib.use("Agg")

import numpy as np
from matplotlib import patches, patheffects, pyplot
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from heddle.graph import lanes, palette
from heddle.graph.analysis import Analysis, Construct, profile
from heddle.graph.words import count, digits, duration, percent, plural, short, unit_for
from heddle.look import GRID, INK, MUTED, PAPER, STYLE

_MOST_EDGES = 400
# Thinner bars than these have no gaps between them, or nothing would be left.
_LEAST_GAPPED_WIDTH = 1 / 250  # of the axis
_LEAST_GAPPED_LANES = 90
_ROW = 0.05  # the critical path's height where there are many lanes, as a share of theirs
_GAP = 0.6  # between that row and the lanes, in its heights
_WIDTH_INCHES = 2.1
_LANE_INCHES = 0.4
_TASKS_INCHES = (1.4, 4.2)
_MOST_LANES_APART = 400  # past it bars overlap, since less than a pixel cannot be seen


def draw(analysis: Analysis, constructs: list[Construct], form: str) -> bytes:
    """The picture as a file of that form, png or svg."""
    nodes = np.setdiff1d(np.flatnonzero(analysis.graph.is_task), analysis.critical)
    lane = lanes.pack(analysis, nodes)
    inches = float(np.clip(_LANE_INCHES * (2 + lane.max(initial=-1)), *_TASKS_INCHES))
    with pyplot.rc_context(STYLE):
        figure, (tasks, width) = pyplot.subplots(
            2,
            1,
            figsize=(11, inches + _WIDTH_INCHES + 1.1),
            dpi=140,
            sharex=True,
            height_ratios=(inches, _WIDTH_INCHES),
            layout="constrained",
        )
        scale, unit = unit_for(analysis.length) if analysis.is_measured else (1.0, "")
        _draw_tasks(tasks, analysis, constructs, nodes, lane, scale)
        _draw_width(width, analysis, constructs, scale)
        words = f"time ({unit})" if unit else "steps: nothing was measured, each task counts as one"
        width.set_xlabel(f"{words}; each task starts as soon as what it waits for is complete", color=MUTED)
        width.set_xlim(0, max(analysis.length / scale, 1e-9) * 1.002)
        for panel in (tasks, width):
            for side in ("top", "right", "left"):
                panel.spines[side].set_visible(False)
        _title(tasks, analysis)
        _legend(figure, constructs)
        buffer = io.BytesIO()
        figure.savefig(buffer, format=form, metadata={"Date": None} if form == "svg" else {"Software": None})
        pyplot.close(figure)
    return buffer.getvalue()


def _draw_tasks(
    panel: Axes, analysis: Analysis, constructs: list[Construct], others: np.ndarray, lane: np.ndarray, scale: float
) -> None:
    """others: the tasks that are not on the critical path."""
    path = analysis.critical
    used = int(lane.max(initial=-1)) + 1
    row = max(1.0, _ROW * used)
    gap = row * _GAP
    bottom = np.zeros(len(analysis.cost))
    bottom[others] = row + gap + lane
    colour = _colour_of_nodes(analysis, constructs)

    is_dense = used > _LEAST_GAPPED_LANES or _typical_width(analysis, others) < _LEAST_GAPPED_WIDTH
    height = np.full(len(analysis.cost), max(1.0, used / _MOST_LANES_APART) if is_dense else 0.86)
    height[path] = row
    for nodes, gap_points in (
        (others[np.argsort(lane, kind="stable")], 0.0 if is_dense else 0.7),
        (path, 0.9 if _typical_width(analysis, path) >= _LEAST_GAPPED_WIDTH else 0.0),
    ):
        panel.add_collection(_bars(analysis, nodes, bottom, height, colour, scale, gap_points))
    end = analysis.length / scale
    panel.add_patch(patches.Rectangle((0, 0), end, row, fill=False, edgecolor=INK, linewidth=1.4, zorder=4))
    if len(analysis.graph.edges) < _MOST_EDGES:
        _draw_edges(panel, analysis, bottom, bottom + height, scale)

    top = row + gap + used
    panel.set_ylim(-0.01 * top, top * 1.02)
    panel.set_yticks([row / 2, row + gap + used / 2] if used else [row / 2])
    names = ["critical\npath", f"other tasks,\n{plural(used, 'lane')}"]
    panel.set_yticklabels(names[: 2 if used else 1])
    panel.tick_params(axis="both", length=0, labelbottom=False)
    panel.spines["bottom"].set_visible(False)
    panel.grid(axis="x", color=GRID, linewidth=0.8)
    panel.set_axisbelow(True)


def _bars(
    analysis: Analysis,
    nodes: np.ndarray,
    bottom: np.ndarray,
    height: np.ndarray,
    colour: np.ndarray,
    scale: float,
    gap_points: float,
) -> PolyCollection:
    left, right = analysis.start[nodes] / scale, analysis.finish[nodes] / scale
    low, high = bottom[nodes], bottom[nodes] + height[nodes]
    corners = np.stack([left, low, right, low, right, high, left, high], axis=1).reshape(-1, 4, 2)
    return PolyCollection(corners, facecolors=colour[nodes], edgecolors=PAPER, linewidths=gap_points, zorder=2)


def _draw_edges(panel: Axes, analysis: Analysis, bottom: np.ndarray, top: np.ndarray, scale: float) -> None:
    """From bar to bar, by the shortest way across the gap between their lanes."""
    is_task = analysis.graph.is_task
    start, finish = analysis.start / scale, analysis.finish / scale
    lines = []
    for i, j in analysis.graph.edges.tolist():
        if is_task[i] and is_task[j]:
            middle = (bottom[i] + top[i] + bottom[j] + top[j]) / 4
            leaves, arrives = np.clip(middle, bottom[[i, j]], top[[i, j]])
            lines.append([(finish[i], leaves), (start[j], arrives)])
    panel.add_collection(LineCollection(lines, colors=INK, linewidths=0.8, alpha=0.4, zorder=5))


def _draw_width(panel: Axes, analysis: Analysis, constructs: list[Construct], scale: float) -> None:
    """A stack of areas, so that one sees whose tasks they are."""
    colour_of = palette.colours(constructs)
    moments, whole = profile(analysis, np.flatnonzero(analysis.graph.is_task))
    below = np.zeros(len(moments))
    for construct in reversed(constructs):  # the one with the most work on top
        when, counts = profile(analysis, construct.nodes)
        if not len(when):
            continue
        above = below + counts[np.searchsorted(when, moments, side="right") - 1] * (moments >= when[0])
        area = {"step": "post", "facecolor": colour_of[construct.place], "linewidth": 0}
        panel.fill_between(moments / scale, below, above, **area)
        below = above
    panel.step(moments / scale, whole, where="post", color=INK, linewidth=0.6)
    processors = len(os.sched_getaffinity(0))
    top = max(float(whole.max(initial=1)), 1.0)
    lines = [(analysis.parallelism, f"average\nparallelism\n{digits(analysis.parallelism)}", INK, (0, (5, 3)))]
    if processors <= 1.5 * top:
        lines.append((processors, f"this machine:\n{plural(processors, 'processor')}", MUTED, (0, (1, 2))))
        top = max(top, processors)
    top *= 1.08
    _mark(panel, lines, top)
    panel.set_ylim(0, top)
    panel.set_ylabel("tasks at once")
    panel.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    panel.grid(color=GRID, linewidth=0.8)
    panel.set_axisbelow(True)
    panel.tick_params(length=0)


def _mark(panel: Axes, lines: list[tuple[float, str, str, tuple]], top: float) -> None:
    """Levels with their names on the right, kept apart."""
    least_apart = 0.3 * top
    at = 0.06 * top
    halo = [patheffects.withStroke(linewidth=3.2, foreground=PAPER, alpha=0.75)]
    for value, name, colour, dashes in sorted(lines, key=lambda line: line[0]):
        panel.axhline(value, color=colour, linewidth=1.3, linestyle=dashes, zorder=4, path_effects=halo)
        at = max(at, value)
        panel.annotate(
            name,
            (1, value),
            (1.015, at),
            xycoords=("axes fraction", "data"),
            textcoords=("axes fraction", "data"),
            va="center",
            color=colour,
            fontsize=8.5,
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.8},
        )
        at += least_apart


def _colour_of_nodes(analysis: Analysis, constructs: list[Construct]) -> np.ndarray:
    colour_of = palette.colours(constructs)
    colours = np.full(len(analysis.cost), palette.OTHER, dtype=object)
    for construct in constructs:
        colours[construct.nodes] = colour_of[construct.place]
    return colours


def _typical_width(analysis: Analysis, nodes: np.ndarray) -> float:
    """Of a bar, as a share of the axis."""
    return float(np.median(analysis.cost[nodes])) / analysis.length if len(nodes) and analysis.length else 1.0


def _title(panel: Axes, analysis: Analysis) -> None:
    graph = analysis.graph
    numbers = [plural(analysis.tasks, "task"), plural(len(graph.edges), "edge")]
    if len(graph.carried):
        numbers.append(f"{count(len(graph.carried))} to the next execution")
    title = f"Graph {graph.number}: {', '.join(numbers)}, executed {plural(graph.executions, 'time')}"
    path = f"critical path {plural(len(analysis.critical), 'task')}"
    if analysis.is_measured:
        path += f", {duration(analysis.length, True)} of {duration(analysis.work, True)} work"
    widths = f"on average {digits(analysis.parallelism)} tasks at once, at most {count(analysis.width)}"
    for text, points_up, style in (
        (title, 26, {"fontsize": 13, "fontweight": "bold"}),
        (f"{path}; {widths}", 8, {"fontsize": 10, "color": MUTED}),
    ):
        panel.annotate(text, (0, 1), (0, points_up), xycoords="axes fraction", textcoords="offset points", **style)


def _legend(figure: Figure, constructs: list[Construct]) -> None:
    colour_of = palette.colours(constructs)
    named = [construct for construct in constructs if colour_of[construct.place] != palette.OTHER]
    handles = []
    for construct in named:
        share = percent(construct.work_share) + (" of the work" if construct is named[0] else "")
        label = f"{short(construct.place)}   {plural(construct.tasks, 'task')}, {share}"
        handles.append(patches.Patch(color=colour_of[construct.place], label=label))
    if rest := constructs[len(named) :]:
        share = percent(sum(construct.work_share for construct in rest))
        label = f"{plural(len(rest), 'other')}   {plural(sum(one.tasks for one in rest), 'task')}, {share}"
        handles.append(patches.Patch(color=palette.OTHER, label=label))
    figure.legend(handles=handles, loc="outside lower left", ncols=3, frameon=False, fontsize=9, handlelength=1.2)
