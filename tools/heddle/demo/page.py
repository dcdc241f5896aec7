"""Writes the demo's page (page.html): one HTML file with its style and pictures inside, which opens from disk."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from heddle.demo import parts, rounds
from heddle.demo.measure import BASELINE, Measurement, Timing


@dataclass
class Pictures:
    cube_png: bytes
    cuts_png: bytes
    owners_png: bytes
    bars_svg: str


def write(
    path: Path,
    measurement: Measurement,
    pictures: Pictures,
    arguments: list[str],
    conditions: parts.Conditions,
    *,
    demo_command: str,
) -> None:
    """Writes the page at once: a reader never sees half of it."""
    timings = measurement.timings
    marked = rounds.quickest(timings)
    variants = list(dict.fromkeys(timing.variant for timing in timings))
    runtimes = list(dict.fromkeys(timing.runtime.title for timing in timings))
    titles = {timing.runtime.name: timing.runtime.title for timing in timings}
    values = {
        "ways": parts.count(len({timing.way for timing in timings})),
        "runtimes": f"{parts.count(len(runtimes))} runtime{'s' if len(runtimes) > 1 else ''}",
        "levels": value_of(arguments, "--num_refine"),
        "threads": parts.plural(measurement.threads, "thread"),
        "runs": len(timings) * measurement.rounds,
        "cube": parts.data_uri(pictures.cube_png),
        "cuts": parts.data_uri(pictures.cuts_png),
        "owners": parts.data_uri(pictures.owners_png),
        "bars": parts.with_text(pictures.bars_svg, "Bars of the times in the table above"),
        "meanings": {name: conditions.meanings.get(name, "") for name in variants},
        "conditions": parts.conditions_text(conditions),
        "baseline": f"{BASELINE[0]} on {titles.get(BASELINE[1], 'libgomp')}",
        "rows": [_row(measurement, i, marked) for i in range(len(timings))],
        "how": rounds.how(timings, measurement.rounds),
        "cells": "×".join(value_of(arguments, f"--n{axis}") for axis in "xyz"),
        "demo_command": demo_command,
        "one_command": amr_command(arguments, measurement.threads),
    }
    parts.write(path, Path(__file__).with_name("page.html"), values)


def amr_command(arguments: list[str], threads: int) -> str:
    """One run of the demo as a command line."""
    return f"./heddle amr --runtime heddle --variant task-2 --threads {threads} {' '.join(arguments)}"


def value_of(arguments: list[str], option: str) -> str:
    """What follows an option among the arguments."""
    return arguments[arguments.index(option) + 1]


def _row(measurement: Measurement, i: int, marked: list[Timing]) -> dict[str, object]:
    timing = measurement.timings[i]
    is_first = i == 0 or measurement.timings[i - 1].way != timing.way
    return {
        "classes": " ".join(["first"] * is_first + ["best"] * (timing in marked)),
        "way": timing.way if is_first else "",
        "runtime": timing.runtime.title,
        "median": timing.median_seconds,
        "shortest": min(timing.seconds),
        "longest": max(timing.seconds),
        "ratio": timing.ratio,
        "updates": timing.updates,
    }
