"""Draws efficiency over task length: a panel a pattern, a row a number of threads, a curve a program and runtime."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, NullFormatter, NullLocator

from heddle.bench.grain import efficiency
from heddle.bench.grain.cases import GRAPH
from heddle.bench.measurement import Column, Measurement
from heddle.errors import UserError
from heddle.look import INK

_COLOURS = {"heddle": "#14507a", "gnu": "#5f9e98", "llvm": "#d08c1c"}
_DASHES = {"gcc": "-", "clang": "--"}


def check(file: Path) -> None:
    """Errors: UserError when the file is no picture."""
    if file.suffix not in {".png", ".svg"}:
        raise UserError(f"--plot {file}: give a name that ends in .png or .svg")


def write(file: Path, measurement: Measurement) -> None:
    """Writes the picture."""
    rows = list(measurement.runs)
    figure, panels = pyplot.subplots(
        len(rows),
        len(measurement.cases),
        figsize=(0.8 + 3.1 * len(measurement.cases), 1.2 + 2.8 * len(rows)),
        dpi=150,
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )
    for i, threads in enumerate(rows):
        for j, case in enumerate(measurement.cases):
            _draw(panels[i][j], measurement, threads, case)
    for panel in panels[-1]:
        panel.set_xlabel("task length (µs)")
    for panel_row in panels:
        panel_row[0].set_ylabel("efficiency")
    shown = {label: line for panel in panels.flat for line, label in zip(*panel.get_legend_handles_labels())}
    figure.legend(shown.values(), shown, loc="outside lower center", ncols=4, frameon=False, fontsize=9)
    figure.savefig(file)
    pyplot.close(figure)


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
    panel.set_xscale("log")
    panel.set_xticks(lengths)
    panel.xaxis.set_minor_locator(NullLocator())
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.set_ylim(0, 1.05)
    panel.grid(True, which="major", color="#e4e4e0", linewidth=0.6)
    plural = "" if threads == 1 else "s"
    panel.set_title(f"{case}, {threads} thread{plural}", loc="left", fontsize=10, color=INK)


def _label(column: Column) -> str:
    what = "taskgraph replayed, " if column.form == GRAPH else ""
    return f"{column.title} ({what}{column.compiler})"


def _style(column: Column) -> dict[str, object]:
    return {
        "color": "#a0306a" if column.form == GRAPH else _COLOURS[column.runtime],
        "linestyle": _DASHES[column.compiler],
        "marker": "o",
        "markersize": 3,
        "linewidth": 1.8 if column.is_ours else 1.3,
    }
