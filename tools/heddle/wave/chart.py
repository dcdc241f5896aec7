"""Draws the demo's times: a row a way, a dot a runtime, one panel for each cut of the curve."""

from __future__ import annotations

import io
from collections.abc import Sequence

import matplotlib

matplotlib.use("Agg")

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullLocator

from heddle import colours
from heddle.look import GRID, MUTED, STYLE
from heddle.wave.measure import Timing

TITLES = {"well": "partitions of equal size", "ill": "half, a quarter, an eighth, …"}
_ROW_INCH = 0.27
_TICKS = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.4, 2, 3, 5, 7, 10, 20, 50, 100)


def dots(timings: Sequence[Timing], baseline: str) -> str:
    """SVG of ratios to the baseline, whiskers from the least to the most. Requires: some timing has a ratio."""
    names = list(dict.fromkeys(timing.way.name for timing in timings))
    columns = list(dict.fromkeys(timing.column for timing in timings))
    ratios = [ratio for timing in timings for ratio in timing.ratios]
    limits = (0.9 * min(ratios), 1.12 * max(ratios))
    with rc_context({**STYLE, "svg.fonttype": "none"}):
        figure = Figure(figsize=(9.6, _ROW_INCH * len(names) + 1.25))
        left, right = figure.subplots(1, 2, sharey=True)
        for axes, cut in ((left, "well"), (right, "ill")):
            shown = [timing for timing in timings if timing.way.cut in ("", cut)]
            _panel(axes, shown, names, [column.name for column in columns], limits)
            axes.set_title(TITLES[cut], loc="left", fontsize=10, fontweight="bold")
            axes.set_xlabel(f"time / time of {baseline}; less is better", fontsize=9)
        left.set_yticks(range(len(names)), names, fontsize=9)
        left.set_ylim(len(names) - 0.4, -0.6)
        figure.legend(
            handles=[_handle("o", colours.RUNTIMES[column.name], column.title) for column in columns]
            + [_handle("x", MUTED, "does not end")] * any(not timing.ends for timing in timings),
            loc="upper right",
            ncols=4,
            frameon=False,
            fontsize=9,
        )
        figure.tight_layout(rect=(0, 0, 1, 1 - 0.26 / figure.get_figheight()))
        buffer = io.StringIO()
        figure.savefig(buffer, format="svg", metadata={"Date": None})
    text = buffer.getvalue()
    return text[text.index("<svg") :]


def _panel(
    axes: Axes, timings: Sequence[Timing], names: list[str], columns: list[str], limits: tuple[float, float]
) -> None:
    axes.set_xscale("log")
    axes.set_xlim(*limits)
    axes.axvline(1, color=MUTED, linewidth=0.8, zorder=1)
    for timing in timings:
        y = names.index(timing.way.name) + (columns.index(timing.column.name) - (len(columns) - 1) / 2) * 0.24
        colour = colours.RUNTIMES[timing.column.name]
        if not timing.ends:
            axes.plot(limits[1] / 1.03, y, "x", color=colour, markersize=5, zorder=3)
        elif timing.ratio is not None:
            if len(timing.ratios) > 1:
                axes.hlines(y, min(timing.ratios), max(timing.ratios), color=colour, linewidth=1.1, zorder=2)
            axes.plot(timing.ratio, y, "o", color=colour, markersize=4.2, zorder=3)
    for y in range(len(names) - 1):
        axes.axhline(y + 0.5, color=GRID, linewidth=0.6, zorder=0)
    axes.set_xticks([tick for tick in _TICKS if limits[0] <= tick <= limits[1]])
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_locator(NullLocator())
    axes.tick_params(which="both", length=0, labelsize=8)
    axes.grid(axis="x", color=GRID, linewidth=0.5, zorder=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _handle(marker: str, colour: str, label: str) -> Line2D:
    return Line2D([], [], marker=marker, color=colour, linestyle="", markersize=5, label=label, markeredgecolor=colour)
