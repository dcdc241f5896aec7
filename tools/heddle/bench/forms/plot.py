"""Draws what replaying saves: a row a kernel.

Heat maps show how many times as fast libheddle's replay is as the plain tasks of libheddle and of each stock runtime,
by grain and number of threads; large tasks are at the bottom. The curves show when recording has paid: the time of so
many iterations by libheddle's plain tasks over that by recording and replaying, a curve a grain, at the most threads.
"""

from __future__ import annotations

import math
from pathlib import Path

import matplotlib

matplotlib.use("Agg")

from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from heddle import look
from heddle.bench import report
from heddle.bench.forms import ratios
from heddle.bench.forms.kernel_set import Kernel, KernelSet, grain_of
from heddle.bench.measurement import Measurement

_INK, _MUTED, _MISSING = "#1b2838", "#667080", "#eeeeea"
# Slower, the same, faster.
_COLOURS = LinearSegmentedColormap.from_list("speed-up", ["#9c4a12", "#d9974f", "#f6f4ee", "#6fa3bd", "#0f4468"])
_CURVES = LinearSegmentedColormap.from_list("grain", ["#a9cddb", "#0f4468"])
# In doublings: beyond, cells have the last colour, and their number says how much it is.
_LEAST_RANGE, _MOST_RANGE = 1.0, 3.0
_ITERATIONS = [round(10 ** (exponent / 16), 2) for exponent in range(3 * 16 + 1)]


def write(file: Path, kernels: KernelSet, measurement: Measurement) -> None:
    """Writes the picture."""
    rows = kernels.by_kernel(measurement.cases)
    runtimes = {column.runtime: column.title for column in measurement.columns}
    norm = colours(measurement, list(runtimes))
    figure, panels = pyplot.subplots(
        len(rows),
        len(runtimes) + 1,
        figsize=(2.9 * len(runtimes) + 4.6, 1.5 + sum(_height(names) for names in rows.values())),
        height_ratios=[_height(names) for names in rows.values()],
        width_ratios=[*[2.9] * len(runtimes), 3.8],
        dpi=140,
        squeeze=False,
        layout="constrained",
    )
    for i, (kernel, names) in enumerate(rows.items()):
        for panel, runtime in zip(panels[i], runtimes):
            _draw_map(panel, measurement, names, runtime, norm)
        panels[i][0].set_ylabel(kernel.pieces, color=_INK)
        panels[i][0].annotate(
            kernel.name, (0, 1), (0, 6), "axes fraction", textcoords="offset points", weight="bold", color=_INK
        )
        _draw_curves(panels[i][-1], kernels, measurement, kernel, names)
    for panel, title in zip(panels[0], [f"over {title}'s tasks" for title in runtimes.values()]):
        panel.set_title(title, fontsize=11, color=_INK, pad=22)
    panels[0][-1].set_title(
        f"recording included, {report.plural(max(measurement.runs), 'thread')}", fontsize=11, color=_INK, pad=22
    )
    for panel in panels[-1][:-1]:
        panel.set_xlabel("threads", color=_INK)
    panels[-1][-1].set_xlabel("iterations", color=_INK)
    _add_scale(figure, panels, norm)
    figure.suptitle("How many times as fast a replayed taskgraph is as plain tasks", fontsize=13, color=_INK)
    look.save(figure, file)
    pyplot.close(figure)


def _height(names: list[str]) -> float:
    return 0.95 + 0.3 * max(len(names), 4)


def colours(measurement: Measurement, runtimes: list[str]) -> Normalize:
    """Doublings of the speed, as many to either side of 1."""
    found = [
        speed_up
        for threads in measurement.runs
        for case in measurement.cases
        for runtime in runtimes
        if (speed_up := ratios.speed_up(measurement, threads, case, runtime))
    ]
    furthest = max((abs(math.log2(value)) for value in found), default=_LEAST_RANGE)
    limit = min(max(furthest, _LEAST_RANGE), _MOST_RANGE)
    return Normalize(-limit, limit)


def _draw_map(panel: Axes, measurement: Measurement, names: list[str], runtime: str, norm: Normalize) -> None:
    counts = list(measurement.runs)
    values = [[ratios.speed_up(measurement, threads, name, runtime) for threads in counts] for name in names]
    doublings = [[math.nan if value is None else math.log2(value) for value in line] for line in values]
    panel.set_facecolor(_MISSING)
    panel.pcolormesh(doublings, cmap=_COLOURS, norm=norm, edgecolors="white", linewidth=1.5)
    for y, line in enumerate(values):
        for x, value in enumerate(line):
            if value is None:
                panel.text(x + 0.5, y + 0.5, "–", ha="center", va="center", fontsize=9, color=_MUTED)
                continue
            is_dark = abs(norm(math.log2(value)) - 0.5) > 0.32
            colour = "white" if is_dark else _INK
            panel.text(x + 0.5, y + 0.5, report.number(value), ha="center", va="center", fontsize=9, color=colour)
    panel.set_xticks([x + 0.5 for x in range(len(counts))], [str(count) for count in counts])
    panel.set_yticks([y + 0.5 for y in range(len(names))], [f"{grain_of(name):,}" for name in names])
    _plain_frame(panel)
    panel.tick_params(length=0)


def _draw_curves(panel: Axes, kernels: KernelSet, measurement: Measurement, kernel: Kernel, names: list[str]) -> None:
    threads = max(measurement.runs)
    ends = []
    for i, name in enumerate(names):
        ours = ratios.row(kernels, measurement, threads, name).ours
        replay = ratios.course(measurement, threads, name, ours.get(ratios.REPLAY))
        plain = ratios.course(measurement, threads, name, ours.get(ratios.PLAIN))
        if replay is None or plain is None:
            continue
        values = [plain.total(n) / replay.total(n) for n in _ITERATIONS]
        colour = _CURVES(i / max(len(names) - 1, 1))
        panel.plot(_ITERATIONS, values, color=colour, linewidth=1.8, label=f"{grain_of(name):,}")
        ends.append(values)
    panel.axhline(1, color=_MUTED, linewidth=0.9, linestyle=(0, (4, 3)))
    panel.set_xscale("log")
    panel.set_yscale("log", base=2)
    least = min([0.5, *(min(values) for values in ends)])
    most = max([2.0, *(max(values) for values in ends)])
    panel.set_ylim(least / 1.1, most * 1.1)
    panel.set_xlim(_ITERATIONS[0], _ITERATIONS[-1])
    step = max(1, round(math.log2(most / least) / 5))
    lowest = math.floor(math.log2(least) / step)
    panel.yaxis.set_major_locator(FixedLocator([2.0 ** (step * k) for k in range(lowest, lowest + 20)]))
    panel.yaxis.set_major_formatter(FuncFormatter(lambda value, _: _times(value)))
    panel.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    panel.xaxis.set_minor_locator(NullLocator())
    panel.grid(True, which="major", color="#e4e4e0", linewidth=0.6)
    panel.set_axisbelow(True)
    _plain_frame(panel)
    if ends:
        lines, labels = panel.get_legend_handles_labels()
        panel.legend(
            lines[::-1],
            labels[::-1],
            loc="center left",
            bbox_to_anchor=(1, 0.5),
            frameon=False,
            fontsize=8,
            handlelength=1,
            title=kernel.pieces,
            title_fontsize=8,
            alignment="left",
        )


def _plain_frame(panel: Axes) -> None:
    for spine in panel.spines.values():
        spine.set_visible(False)
    panel.tick_params(labelsize=9, colors=_INK)


def _add_scale(figure: Figure, panels: list[list[Axes]], norm: Normalize) -> None:
    """The colours' meaning, below all."""
    maps = [panel for line in panels for panel in line[:-1]]
    bar = figure.colorbar(
        ScalarMappable(norm, _COLOURS), ax=maps, location="bottom", extend="both", aspect=50, shrink=0.7, pad=0.01
    )
    last = math.floor(norm.vmax or 0)
    bar.set_ticks(list(range(-last, last + 1)), labels=[_times(2.0**k) for k in range(-last, last + 1)])
    bar.set_label("plain over replayed: above 1 the replay is faster", fontsize=9, color=_INK)
    bar.outline.set_visible(False)


def _times(value: float) -> str:
    """2 or 1/2."""
    return f"{value:g}" if value >= 1 else f"1/{1 / value:g}"
