"""Schulz and others: enclave tasking."""

from __future__ import annotations

import statistics
from typing import Any

from heddle import paths, toolchain
from heddle.papers import programs
from heddle.papers.finding import Finding, How, Paper

_SIZE, _THREADS = "small", "2"


def measure(how: How) -> list[Finding]:
    toolchain.build("release", ["heddle", paths.WAVE])
    how.say("strategies of enclave tasking")
    arguments = ["--quick"] if how.quick else ["--rounds", "3", "--threads", _THREADS]
    record = programs.script("wave_strategies.py", arguments, how.records / "schulz.json")
    runs = record["runs"][_SIZE][_THREADS]
    titles = {key: column["title"] for key, column in record["columns"].items()}
    return [_strategies(runs, titles)]


def _strategies(runs: dict[str, dict[str, list[dict[str, Any]]]], titles: dict[str, str]) -> Finding:
    rows, ended, ours = [], 0, []
    base = _median(runs["bsp, well"]["heddle"])
    for way, by_runtime in runs.items():
        words = []
        for key in titles:
            median = _median(by_runtime.get(key, []))
            words.append(
                "does not end"
                if median is None
                else f"{median:.2f} µs ({median / base:.2f})"
                if base
                else f"{median:.2f} µs"
            )
            ended += median is None
        rows.append((way, *words))
        mine = _median(by_runtime.get("heddle", []))
        if mine is not None and base and way.startswith("enclave"):
            ours.append(mine / base)
    return Finding(
        "Figures 2 and 4: strategies",
        "Native enclave tasks are slower than bulk-synchronous loops; holding tasks back, and filling in with them, "
        "wins that "
        "back in part; no runtime gives it without the application's own queue.",
        ("model and strategy", *titles.values()),
        rows,
        "Microseconds a step and patch, and over bulk-synchronous loops on libheddle. There strategies of enclaves "
        "take "
        f"{min(ours):.2f} to {max(ours):.2f} of those. Runs that did not end, on all runtimes: {ended}.",
        ".venv/bin/python bench/wave_strategies.py",
    )


def _median(runs: list[dict[str, Any]]) -> float | None:
    values = [run["us"] for run in runs if "us" in run]
    return statistics.median(values) if values and len(values) == len(runs) else None


PAPER = Paper(
    "schulz",
    "Task Inefficiency Patterns for a Wave Equation Solver",
    "H. Schulz, G. Brito Gadeschi, O. Rudyy, T. Weinzierl, IWOMP 2021",
    "docs/papers/3-schulz2021.md",
    measure,
)
