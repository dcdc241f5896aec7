"""What pictures of efficiency over task length share: a panel a pattern, a row a number of threads."""

from __future__ import annotations

from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter
from numpy import ndarray

from heddle import look
from heddle.bench.report import plural
from heddle.look import INK

COLOURS = {"heddle": "#14507a", "gnu": "#5f9e98", "llvm": "#d08c1c", "tbb": "#6b5b95"}
DASHES = {"gcc": "-", "clang": "--"}


def panels(rows: int, columns: int, inches: tuple[float, float]) -> tuple[Figure, ndarray]:
    """The figure and its panels, by row and column."""
    return pyplot.subplots(
        rows,
        columns,
        figsize=inches,
        dpi=150,
        sharex=True,
        sharey=True,
        squeeze=False,
        layout="constrained",
    )


def log_lengths(panel: Axes) -> None:
    """Lengths along x on a logarithmic scale, as plain numbers, and a grid."""
    panel.set_xscale("log")
    panel.xaxis.set_minor_formatter(NullFormatter())
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.grid(True, which="major", color="#e4e4e0", linewidth=0.6)


def title(panel: Axes, pattern: str, threads: int) -> None:
    """What a panel shows."""
    panel.set_title(f"{pattern}, {plural(threads, 'thread')}", loc="left", fontsize=10, color=INK)


def finish(figure: Figure, drawn: ndarray, file: Path, *, x: str, y: str, legend_columns: int) -> None:
    """Names the axes at the edges, adds one legend for all panels and writes the file."""
    for panel in drawn[-1]:
        panel.set_xlabel(x)
    for row in drawn:
        row[0].set_ylabel(y)
    shown = {label: line for panel in drawn.flat for line, label in zip(*panel.get_legend_handles_labels())}
    figure.legend(shown.values(), shown, loc="outside lower center", ncols=legend_columns, frameon=False, fontsize=9)
    look.save(figure, file)
    pyplot.close(figure)
