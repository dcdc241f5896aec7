"""Draws efficiency against task length: a panel a pattern and number of threads, a curve a column.

A curve's points are medians over the rounds, point by point of the sweep. The dashed line is at 50 %; where a curve
crosses it is METG(50 %), marked.
"""

from __future__ import annotations

import statistics
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from heddle.bench import cases, ratios
from heddle.bench.measurement import Column, Measurement, Point
from heddle.errors import UserError

_COLOURS = {"heddle": "#14507a", "gnu": "#5f9e98", "llvm": "#d08c1c"}
_DASHES = {"gcc": "-", "clang": "--"}
_MARKERS = ("o", "s", "^", "D", "v")  # of a runtime's settings, in their order
_INK, _MUTED = "#1b2838", "#667080"


def check(file: Path, chosen: list[cases.Case]) -> None:
    """Errors: UserError when nothing of what was chosen has a curve, or the file is no picture."""
    if file.suffix not in {".png", ".svg"}:
        raise UserError(f"--plot {file}: give a name that ends in .png or .svg")
    if not any(case.is_sweep for case in chosen):
        raise UserError("--plot draws the metg cases; --kernels names none of them")


def write(file: Path, measurement: Measurement) -> None:
    """Writes the picture."""
    patterns = [name for name in measurement.cases if cases.named(name).is_sweep]
    rows = list(measurement.runs)
    figure, panels = pyplot.subplots(
        len(rows),
        len(patterns),
        figsize=(1.2 + 4.6 * len(patterns), 1.3 + 3.4 * len(rows)),
        dpi=150,
        sharex=True,
        sharey=True,
        squeeze=False,
    )
    for i, threads in enumerate(rows):
        for j, pattern in enumerate(patterns):
            _draw(panels[i][j], measurement, threads, pattern)
    for panel in panels[-1]:
        panel.set_xlabel("task length (µs): time × processors / tasks")
    for panel_row in panels:
        panel_row[0].set_ylabel("efficiency (% of the best rate)")
    handles, labels = panels[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=min(4, max(1, len(labels))), frameon=False, fontsize=9)
    figure.tight_layout(rect=(0, 0.06 + 0.03 * (len(labels) // 5), 1, 1))
    figure.savefig(file)
    pyplot.close(figure)


def median_curve(sweeps: list[list[Point]]) -> list[Point]:
    """Medians over the sweeps, point by point, as far as all of them go."""
    return [
        Point(statistics.median(p.task_ns for p in points), statistics.median(p.efficiency for p in points))
        for points in zip(*sweeps)
    ]


def _draw(panel: Axes, measurement: Measurement, threads: int, pattern: str) -> None:
    row = ratios.row(measurement, threads, pattern)
    for column in measurement.columns:
        points = median_curve(measurement.curve(threads, pattern, column))
        if not points:
            continue
        style = {"color": _COLOURS[column.runtime], "linestyle": _DASHES[column.compiler]}
        marker = _MARKERS[_place(measurement.columns, column) % len(_MARKERS)]
        panel.plot(
            [point.task_ns / 1000 for point in points],
            [point.efficiency * 100 for point in points],
            marker=marker,
            markersize=3,
            linewidth=1.4,
            label=column.label,
            **style,
        )
        metg = row.medians[column.key]
        if metg is not None:
            panel.plot([metg / 1000], [50], marker=marker, markersize=8, markerfacecolor="none", **style)
    panel.axhline(50, color=_MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
    panel.set_xscale("log")
    panel.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.set_ylim(0, 105)
    panel.grid(True, which="major", color="#e4e4e0", linewidth=0.6)
    panel.set_title(f"{pattern.removeprefix('metg-')}, {threads} threads", loc="left", fontsize=10, color=_INK)


def _place(columns: list[Column], column: Column) -> int:
    """Which of its runtime's settings the column has."""
    return [c for c in columns if (c.runtime, c.compiler) == (column.runtime, column.compiler)].index(column)
