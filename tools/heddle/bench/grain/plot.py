"""Draws efficiency over task length: a panel a pattern, a row a number of threads, a curve a program and runtime."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator

from heddle.bench import curves
from heddle.bench.grain import efficiency
from heddle.bench.grain.cases import GRAPH, ONETBB
from heddle.bench.measurement import Column, Measurement


def write(file: Path, measurement: Measurement) -> None:
    """Writes the picture."""
    rows = list(measurement.runs)
    patterns = measurement.cases
    figure, panels = curves.panels(len(rows), len(patterns), (0.8 + 3.1 * len(patterns), 1.2 + 2.8 * len(rows)))
    for i, threads in enumerate(rows):
        for j, case in enumerate(patterns):
            _draw(panels[i][j], measurement, threads, case)
    curves.finish(figure, panels, file, x="task length (µs)", y="efficiency", legend_columns=4)


def _draw(panel: Axes, measurement: Measurement, threads: int, case: str) -> None:
    for column in measurement.columns:
        found = efficiency.curve(measurement, threads, case, column)
        if found:
            panel.plot(
                [length / 1000 for length in found], list(found.values()), label=_label(column), **_style(column)
            )
    lengths = sorted(
        {point.task_ns / 1000 for c in measurement.columns for p in measurement.curve(threads, case, c) for point in p}
    )
    curves.log_lengths(panel)
    panel.set_xticks(lengths)
    panel.xaxis.set_minor_locator(NullLocator())
    panel.set_ylim(0, 1.05)
    curves.title(panel, case, threads)


def _label(column: Column) -> str:
    if column.runtime == ONETBB:
        return f"{column.title} ({'flow graph' if column.form == GRAPH else 'task_group'})"
    what = "taskgraph replayed, " if column.form == GRAPH else ""
    return f"{column.title} ({what}{column.compiler})"


def _style(column: Column) -> dict[str, object]:
    return {
        "color": "#a0306a" if column.is_ours and column.form == GRAPH else curves.COLOURS[column.runtime],
        "linestyle": ":" if column.runtime == ONETBB and column.form == GRAPH else curves.DASHES[column.compiler],
        "marker": "o",
        "markersize": 3,
        "linewidth": 1.8 if column.is_ours else 1.3,
    }
