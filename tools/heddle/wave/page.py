"""Writes the page of heddle-wave's demo (page.html): one HTML file, which opens from disk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from heddle import colours
from heddle.demo import parts, rounds
from heddle.wave import inputs
from heddle.wave.measure import BASELINE, Measurement, Timing


@dataclass
class Pictures:
    hero_png: bytes
    bubble_png: bytes
    explosion_png: bytes
    dots_svg: str | None  # None without a baseline


def write(
    path: Path,
    measurement: Measurement,
    pictures: Pictures,
    the_input: inputs.Input,
    conditions: parts.Conditions,
    *,
    demo_command: str,
) -> None:
    """Writes the page at once: a reader never sees half of it."""
    timings = measurement.timings
    columns = list(dict.fromkeys(timing.column for timing in timings))
    shown = {name: conditions.meanings.get(name, "") for name in dict.fromkeys(timing.way.name for timing in timings)}
    values = {
        "ways": parts.count(len(shown)),
        "how_many_runtimes": f"{parts.count(len(columns))} runtime{'s' if len(columns) > 1 else ''}",
        "threads": parts.plural(measurement.threads, "thread"),
        "verdict": verdict(measurement),
        "hero": parts.data_uri(pictures.hero_png),
        "bubble": parts.data_uri(pictures.bubble_png),
        "explosion": parts.data_uri(pictures.explosion_png),
        "dots": parts.with_text(pictures.dots_svg, "The ratios of the table above as dots")
        if pictures.dots_svg
        else "",
        "bubble_volumes": _volumes(the_input.bubble.arguments),
        "explosion_volumes": _volumes(the_input.explosion.arguments),
        "steps": measurement.results["steps"],
        "patches": measurement.results["patches"],
        "ill": max(timing.way.partitions(measurement.threads) for timing in timings),
        "runtimes": [column.title for column in columns],
        "groups": _groups(timings),
        "most": max((timing.ratio for timing in timings if timing.ratio is not None), default=1.0),
        "how": rounds.how(timings, measurement.rounds),
        "baseline": baseline_title(timings),
        "not_ended": _not_ended(timings),
        "meanings": shown,
        "demo_command": demo_command,
        "one_command": _command(
            ["--exec", "enclave", "--strategy", "in-runtime", *the_input.timed], measurement.threads
        ),
        "plot_command": _command(["--plot", "shock-bubble.png", *the_input.bubble.arguments]),
        "conditions": parts.conditions_text(conditions),
    }
    parts.write(path, Path(__file__).with_name("page.html"), values)


def verdict(measurement: Measurement) -> str:
    """Whether the answers agree, in words; measure() refuses those that do not."""
    words = (
        f"All {measurement.runs} runs that ended" if _not_ended(measurement.timings) else f"All {measurement.runs} runs"
    )
    fingerprint = measurement.results["state_fingerprint"]
    return f"{words} gave the same mesh and the same state, bit for bit: fingerprint {fingerprint}."


def baseline_title(timings: Sequence[Timing]) -> str:
    """The baseline in words."""
    titles = {timing.column.name: timing.column.title for timing in timings}
    return f"{BASELINE[0]} on {titles.get(BASELINE[2], 'libgomp')} with partitions of equal size"


def _not_ended(timings: Sequence[Timing]) -> str:
    limits = [timing.limit_s for timing in timings if timing.limit_s is not None]
    if not limits:
        return ""
    return f" Does not end: not in {max(limits):.0f} s; it was stopped, and not started again."


def _groups(timings: Sequence[Timing]) -> list[dict[str, object]]:
    """Three groups of ways: no partitions, good ones, bad ones. Of each way its timings, a column each."""
    marked = rounds.quickest(timings)
    titles = {
        "": ("No partitions", "tasks by their data, or one thread"),
        "well": ("Partitions of equal size", "one a thread"),
        "ill": ("Partitions of unequal size", "half of what is left each"),
    }
    groups = []
    for cut, (title, more) in titles.items():
        ways: dict[str, list[tuple[Timing, str, bool]]] = {}
        for timing in timings:
            if timing.way.cut == cut:
                colour = colours.RUNTIMES[timing.column.name]
                ways.setdefault(timing.way.name, []).append((timing, colour, timing in marked))
        groups.append({"title": title, "more": more, "ways": list(ways.items())})
    return groups


def _volumes(arguments: list[str]) -> str:
    volumes = arguments[arguments.index("--volumes") + 1]
    return "×".join([volumes] * int(arguments[arguments.index("--dim") + 1]))


def _command(arguments: list[str], threads: int | None = None) -> str:
    words = ["./heddle", "wave", *(["--threads", str(threads)] if threads else []), *arguments]
    return " ".join(words)
