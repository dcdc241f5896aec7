"""Draws efficiency against task length: a panel a pattern and number of threads, a curve a program and runtime.

Of several settings the one with the lowest METG has the curve. A curve's points are medians over the rounds, point by
point of the sweep. The dashed line is at 50 %; where a curve crosses it is METG(50 %), marked.
"""

from __future__ import annotations

import statistics
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator

from heddle.bench import curves
from heddle.bench.measurement import Column, Measurement, Point
from heddle.bench.tasks import cases, ratios
from heddle.look import MUTED


def write(file: Path, measurement: Measurement) -> None:
    """Writes the picture."""
    patterns = [name for name in measurement.cases if cases.is_sweep(cases.named(name))]
    rows = list(measurement.runs)
    figure, panels = curves.panels(len(rows), len(patterns), (1.2 + 4.6 * len(patterns), 1.3 + 3.4 * len(rows)))
    for i, threads in enumerate(rows):
        for j, pattern in enumerate(patterns):
            _draw(panels[i][j], measurement, threads, pattern)
    curves.finish(
        figure,
        panels,
        file,
        x="task length (µs): time × processors / tasks",
        y="efficiency (% of the best rate)",
        legend_columns=2 * len(patterns),
    )


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
        style = {"color": curves.COLOURS[column.runtime], "linestyle": curves.DASHES[column.compiler]}
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
    curves.log_lengths(panel)
    panel.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    panel.set_ylim(0, 105)
    curves.title(panel, pattern.removeprefix("metg-"), threads)


def _best(group: list[Column], row: ratios.Row) -> Column:
    """The column with the lowest METG; the first where none has any."""
    able = [column for column in group if row.medians[column.key] is not None]
    return min(able, key=lambda column: row.medians[column.key] or 0.0, default=group[0])
