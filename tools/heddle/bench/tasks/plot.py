"""Draws efficiency against task length: a panel a pattern and number of threads, a curve a program and runtime.

Of several settings the one with the lowest METG has the curve. A curve's points are medians over the rounds, point by
point of the sweep. The dashed line is at 50 %; where a curve crosses it is METG(50 %), marked.
"""

from __future__ import annotations

import statistics
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from heddle.bench.measurement import Case, Column, Measurement, Point
from heddle.bench.tasks import cases, ratios
from heddle.errors import UserError
from heddle.look import INK, MUTED

_COLOURS = {"heddle": "#14507a", "gnu": "#5f9e98", "llvm": "#d08c1c"}
_DASHES = {"gcc": "-", "clang": "--"}


def check(file: Path, chosen: list[Case]) -> None:
    """Errors: UserError when nothing of what was chosen has a curve, or the file is no picture."""
    if file.suffix not in {".png", ".svg"}:
        raise UserError(f"--plot {file}: give a name that ends in .png or .svg")
    if not any(cases.is_sweep(case) for case in chosen):
        raise UserError("--plot draws the metg cases; --kernels names none of them")


def write(file: Path, measurement: Measurement) -> None:
    """Writes the picture."""
    patterns = [name for name in measurement.cases if cases.is_sweep(cases.named(name))]
    rows = list(measurement.runs)
    figure, panels = pyplot.subplots(
        len(rows),
        len(patterns),
        figsize=(1.2 + 4.6 * len(patterns), 1.3 + 3.4 * len(rows)),
        dpi=150,
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for i, threads in enumerate(rows):
        for j, pattern in enumerate(patterns):
            _draw(panels[i][j], measurement, threads, pattern)
    for panel in panels[-1]:
        panel.set_xlabel("task length (µs): time × processors / tasks")
    for panel_row in panels:
        panel_row[0].set_ylabel("efficiency (% of the best rate)")
    shown = {label: line for panel in panels.flat for line, label in zip(*panel.get_legend_handles_labels())}
    figure.legend(shown.values(), shown, loc="outside lower center", ncols=2 * len(patterns), frameon=False, fontsize=9)
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
    for group in ratios.groups_of(measurement.columns):
        column = _best(group, row)
        points = median_curve(measurement.curve(threads, pattern, column))
        if not points:
            continue
        style = {"color": _COLOURS[column.runtime], "linestyle": _DASHES[column.compiler]}
        panel.plot(
            [point.task_ns / 1000 for point in points],
            [point.efficiency * 100 for point in points],
            marker="o",
            markersize=3,
            linewidth=1.4,
            label=f"{column.title} ({column.compiler})",
            **style,
        )
        metg = row.medians[column.key]
        if metg is not None:
            panel.plot([metg / 1000], [50], marker="o", markersize=8, markerfacecolor="none", **style)
    panel.axhline(50, color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
    panel.set_xscale("log")
    panel.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.set_ylim(0, 105)
    panel.grid(True, which="major", color="#e4e4e0", linewidth=0.6)
    panel.set_title(
        f"{pattern.removeprefix('metg-')}, {threads} thread{'' if threads == 1 else 's'}",
        loc="left",
        fontsize=10,
        color=INK,
    )


def _best(group: list[Column], row: ratios.Row) -> Column:
    """The column with the lowest METG; the first where none has any."""
    able = [column for column in group if row.medians[column.key] is not None]
    return min(able, key=lambda column: row.medians[column.key] or 0.0, default=group[0])
