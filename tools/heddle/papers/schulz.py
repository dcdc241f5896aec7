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
    return [_strategies(runs, titles), _simulated(how)]


_WAYS = {"bsp": "bulk-synchronous", "enclave": "enclaves, native", "in-runtime": "enclaves, in the runtime"}


def _simulated(how: How) -> Finding:
    cores = (1, 14, 28) if how.quick else (1, 14, 28, 64, 128)
    how.say(f"simulated cores: {', '.join(map(str, cores))}")
    arguments = ["--cores", ",".join(map(str, cores)), *(["--level", "4"] if how.quick else [])]
    record = programs.script("wave_scaling.py", arguments, how.records / "schulz-scaling.json", "--out")
    rows, most = [], {}
    for row in record["rows"]:
        speedups = [row["speedups"][str(n)] for n in cores]
        most[row["model"], row["cut"]] = max(speedups)
        cut = {"well": "well balanced", "ill": "ill balanced", "-": "no partitions"}[row["cut"]]
        rows.append((_WAYS.get(row["model"], row["model"]), cut, *(f"{x:.1f}" for x in speedups)))
    return Finding(
        "Figure 2: scaling",
        "Bulk-synchronous code scales where partitions are well balanced; ill balanced it is never more than twice as "
        "fast as one core. Enclave tasks arguably do better.",
        ("model", "partitions", *(f"{n} cores" for n in cores)),
        rows,
        f"Speedup over one thread. Ill balanced, bulk-synchronous steps reach {most['bsp', 'ill']:.1f}, "
        f"native enclaves {most['enclave', 'ill']:.0f}, enclaves in the background of the runtime "
        f"{most['in-runtime', 'ill']:.0f}. Memory is as fast for many cores as for one.",
        f".venv/bin/python bench/studies/wave_scaling.py --cores {','.join(map(str, cores))}",
        is_simulated=True,
    )


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
        ".venv/bin/python bench/studies/wave_strategies.py",
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
