"""Runs the rounds: each case in every column before the next case, every second round backwards.

So the columns of a case run within seconds of each other, and a machine that slows down does so for all.
"""

from __future__ import annotations

import subprocess
from dataclasses import dataclass

from heddle import execution, terminal
from heddle.bench.columns import Start
from heddle.bench.measurement import Case, Measurement, Point, Run


@dataclass(frozen=True)
class How:
    """The conditions of every run. options go to the program after the case's and the column's own."""

    rounds: int
    timeout_s: float
    options: tuple[str, ...]


_NO_END = "no end"


def run_all(
    measurement: Measurement,
    cases: list[Case],
    starts: dict[int, dict[str, Start]],
    how: How,
    progress: terminal.Progress,
) -> None:
    """Fills in the runs. starts: threads -> column's key -> how it starts."""
    total = how.rounds * len(starts) * len(cases) * len(measurement.columns)
    done = 0
    for threads, by_column in starts.items():
        rows = measurement.runs.setdefault(threads, {case.name: {} for case in cases})
        for number in range(how.rounds):
            columns = measurement.columns if number % 2 == 0 else measurement.columns[::-1]
            for case in cases:
                for column in columns:
                    text = f"{case.name}, {threads} threads, {column.label}"
                    progress(done, total, f"{text:45}")
                    runs = rows[case.name].setdefault(column.key, [])
                    runs.append(_again(runs) or run_once(by_column[column.key], case, how))
                    done += 1
    progress(total, total, " " * 45)


def _again(runs: list[Run]) -> Run | None:
    """A runtime that hung or cannot do it is not asked again: its last run counts for this round, too."""
    return runs[-1] if runs and (runs[-1].refused or runs[-1].failure.startswith(_NO_END)) else None


def run_once(start: Start, case: Case, how: How) -> Run:
    """One start of the program. A failure is a Run, too."""
    program = start.others.get(case.program, (str(start.program),))
    command = [*program, case.kernel, *case.options, *start.options, *how.options]
    timeout_s = max(how.timeout_s, case.least_timeout_s)
    try:
        done = subprocess.run(
            command,
            env=start.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=timeout_s,
        )
    except subprocess.TimeoutExpired:
        return Run(None, failure=f"{_NO_END} in {timeout_s:g} s")
    return understood(case, done.returncode, done.stdout, done.stderr)


def understood(case: Case, status: int, out: str, said: str) -> Run:
    """What a run's end and output mean."""
    last_words = (said.strip().splitlines() or [""])[-1]
    if status == 2:
        return Run(None, failure=last_words, refused=True)
    lines = [dict(word.partition("=")[::2] for word in line.split()) for line in out.splitlines()]
    points = tuple(Point(float(line["task_ns"]), float(line["efficiency"])) for line in lines if "point" in line)
    words = next((line for line in lines if "verified" in line), {})
    if status == 1 and words.get("verified") == "no":
        return Run(None, words, points, "a wrong result")
    if status != 0:
        return Run(None, words, points, f"{execution.end_of(status)}{': ' if last_words else ''}{last_words}")
    if case.field not in words:
        return Run(None, words, points, "it printed no result")
    value = float(words[case.field])
    # METG of 0: no task length of the sweep was below one half.
    return Run(value if value > 0 else None, words, points)
