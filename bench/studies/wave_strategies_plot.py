"""Draws the record of bench/studies/wave_strategies.py: time over threads, and what is pending after the primary traversal."""

from __future__ import annotations

import io
import statistics
from typing import Any

import matplotlib

matplotlib.use("Agg")

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from heddle import colours
from heddle.look import GRID, INK, MUTED, STYLE

# Drawn in colour; the rest are variations of these and pale lines.
SHOWN = {
    "bsp": (INK, "s"),
    "enclave, native": ("#c8553d", "o"),
    "enclave, hold-back": ("#dcae58", "v"),
    "enclave, backfill": ("#5f9e98", "^"),
    "enclave, merge-and-backfill": ("#8a5a83", "D"),
    "enclave, in-runtime": ("#14507a", "P"),
    "data-flow": ("#6fa8dc", "<"),
    "data-flow-graph": ("#274e13", ">"),
}
_PALE = "#cfcabd"
_MARKERS = ("o", "s", "D", "v")
_CUTS = {"well": "equal partitions", "ill": "unequal partitions"}


def draw(record: dict[str, Any]) -> bytes:
    """PNG: a row of panels for each size and cut, a panel a column; below, pending patches for each size."""
    sizes, keys = list(record["runs"]), list(record["columns"])
    rows = [(size, cut) for size in sizes for cut in _CUTS]
    with rc_context(STYLE):
        figure = Figure(figsize=(2.75 * len(keys) + 0.6, 2.35 * len(rows) + 5.0), dpi=150, layout="constrained")
        upper, lower = figure.subfigures(2, 1, height_ratios=(2.35 * len(rows), 4.4))
        panels = upper.subplots(len(rows), len(keys), sharex=True, squeeze=False)
        for (size, cut), row in zip(rows, panels):
            for key, axes in zip(keys, row):
                _time_panel(axes, record, size, cut, key)
            low, high = min(a.get_ylim()[0] for a in row), max(a.get_ylim()[1] for a in row)
            for axes in row:
                axes.set_ylim(low, high)
                axes.tick_params(labelleft=axes is row[0])
                _mark_unended(axes, record, size, cut, keys[list(row).index(axes)])
            row[0].set_ylabel(f"{_CUTS[cut]}\nµs a step and patch", fontsize=9)
            row[0].set_title(
                f"{_size_title(record, size)}\n{record['columns'][keys[0]]['title']}", loc="left", fontsize=9
            )
        for axes in panels[-1]:
            axes.set_xlabel("threads", fontsize=9)
        upper.legend(handles=_legend(record), loc="outside lower center", ncols=5, frameon=False, fontsize=8.5)
        for size, axes in zip(sizes, lower.subplots(1, len(sizes), sharey=True, squeeze=False)[0]):
            _pending_panel(axes, record, size)
        handles = [
            Line2D([], [], marker=_MARKERS[i], linestyle="", color=_colour(key), label=record["columns"][key]["title"])
            for i, key in enumerate(keys)
        ]
        lower.legend(handles=handles, loc="outside lower center", ncols=len(keys), frameon=False, fontsize=8.5)
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", metadata={"Software": None})
        return buffer.getvalue()


def _colour(key: str) -> str:
    return colours.RUNTIMES.get(key, "#7d6b91")


def _runs(record: dict[str, Any], size: str, threads: int, name: str, key: str) -> list[dict[str, Any]]:
    by_way = record["runs"][size][str(threads)]
    if name.endswith(", ill") and threads == 1:  # one partition, whatever the cut
        name = f"{name.removesuffix('ill')}well"
    return by_way.get(name, {}).get(key, [])


def _cases(record: dict[str, Any], size: str, cut: str) -> list[tuple[str, str]]:
    """Name of the way, name of the case: those with this cut, and those that have none."""
    names = record["runs"][size][str(record["threads"][-1])]
    found = []
    for name in names:
        way, _, its_cut = name.rpartition(", ")
        if its_cut == cut:
            found.append((way, name))
        elif its_cut not in _CUTS:
            found.append((name, name))
    return sorted(found, key=lambda case: case[0] in SHOWN)  # pale lines first


def _time_panel(axes: Axes, record: dict[str, Any], size: str, cut: str, key: str) -> None:
    for way, name in _cases(record, size, cut):
        points = []
        for threads in record["threads"]:
            times = [run["us"] for run in _runs(record, size, threads, name, key) if "us" in run]
            if times and "failure" not in _runs(record, size, threads, name, key)[-1]:
                points.append((threads, statistics.median(times), min(times), max(times)))
        if not points:
            continue
        colour, marker = SHOWN.get(way, (_PALE, ""))
        x, middle, least, most = zip(*points)
        axes.plot(x, middle, marker=marker, color=colour, linewidth=1.3, markersize=4, zorder=3 if marker else 2)
        if marker and len(_runs(record, size, record["threads"][-1], name, key)) > 1:
            axes.vlines(x, least, most, color=colour, linewidth=0.8, alpha=0.6, zorder=2)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks(record["threads"], [str(threads) for threads in record["threads"]])
    axes.set_xlim(0.85 * min(record["threads"]), 1.18 * max(record["threads"]))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_title(record["columns"][key]["title"], loc="left", fontsize=9)
    _plain(axes)


def _mark_unended(axes: Axes, record: dict[str, Any], size: str, cut: str, key: str) -> None:
    """A cross at the upper edge for each case that does not end."""
    for threads in record["threads"]:
        stopped = [
            way
            for way, name in _cases(record, size, cut)
            if (runs := _runs(record, size, threads, name, key)) and "failure" in runs[-1]
        ]
        for i, way in enumerate(stopped[::-1]):  # pale ones last
            at = (threads, 0.96 - 0.07 * i)
            colour = SHOWN.get(way, (_PALE, ""))[0]
            axes.plot(*at, "x", color=colour, transform=axes.get_xaxis_transform(), markersize=6, zorder=4)


def _pending_panel(axes: Axes, record: dict[str, Any], size: str) -> None:
    """Figure 3: of the enclave patches, what nobody has computed when the primary traversals end."""
    from wave_strategies import pending_shares

    threads = max(record["threads"])
    ways = [name.rpartition(", ")[0] for name in record["runs"][size][str(threads)] if name.endswith(", well")]
    ways = [way for way in ways if way.startswith("enclave")]
    for i, key in enumerate(record["columns"]):
        for row, way in enumerate(ways):
            shares = pending_shares(_runs(record, size, threads, f"{way}, well", key))
            if not shares:
                continue
            y = row + (i - (len(record["columns"]) - 1) / 2) * 0.2
            axes.hlines(y, min(shares), max(shares), color=_colour(key), linewidth=1.1)
            axes.plot(statistics.median(shares), y, _MARKERS[i], color=_colour(key), markersize=4)
    axes.set_yticks(range(len(ways)), [way.partition(", ")[2] for way in ways], fontsize=8.5)
    axes.set_ylim(len(ways) - 0.4, -0.6)
    axes.set_xlim(-0.03, 1.03)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0%}"))
    axes.set_xlabel("pending after the primary traversal", fontsize=9)
    axes.set_title(f"{_size_title(record, size)}, {threads} threads, equal partitions", loc="left", fontsize=9)
    for y in range(len(ways) - 1):
        axes.axhline(y + 0.5, color=GRID, linewidth=0.6)
    _plain(axes)


def _size_title(record: dict[str, Any], size: str) -> str:
    along = round(record["volumes_per_patch"][size] ** 0.5)
    return f"{record['patches'][size]} patches of {along}×{along}"


def _plain(axes: Axes) -> None:
    axes.grid(axis="both", color=GRID, linewidth=0.5)
    axes.tick_params(which="both", length=0, labelsize=8, labelcolor=INK)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _legend(record: dict[str, Any]) -> list[Line2D]:
    handles = [Line2D([], [], color=colour, marker=marker, label=way) for way, (colour, marker) in SHOWN.items()]
    handles.append(Line2D([], [], color=_PALE, label="other strategies"))
    ends = all(
        "failure" not in runs[-1]
        for by_threads in record["runs"].values()
        for by_way in by_threads.values()
        for by_column in by_way.values()
        for runs in by_column.values()
    )
    if not ends:
        handles.append(Line2D([], [], color=MUTED, marker="x", linestyle="", label="does not end"))
    return handles
