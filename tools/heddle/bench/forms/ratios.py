"""What replaying saves: libheddle's replay over plain tasks, its own and the better stock runtime's.

The better stock runtime of a case is the stock column with the lowest median. libheddle counts with the program of the
same compiler; where there is no stock column, with the program whose replay is faster.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass, replace
from typing import Any

from heddle.bench import spread
from heddle.bench.forms.kernel_set import KernelSet
from heddle.bench.measurement import Column, Measurement, Run

# The forms of the program.
PLAIN, REPLAY, LOOPS = "tasks", "graph", "loops"


def in_forms(columns: list[Column]) -> list[Column]:
    """Columns in the forms that are measured: all of libheddle's, and the plain tasks of the others."""
    return [
        replace(column, form=form)
        for column in columns
        for form in ((PLAIN, REPLAY, LOOPS) if column.is_ours else (PLAIN,))
    ]


@dataclass(frozen=True)
class Row:
    """One case at one number of threads. What could not be had is None, or not in the dictionary."""

    case: str
    medians: dict[str, float | None]  # by the column's key
    ours: dict[str, Column]  # by form
    stock: Column | None
    over_plain: spread.Spread | None  # below 1 is in favour of the replay
    over_stock: spread.Spread | None
    over_loops: spread.Spread | None
    over_waiting: spread.Spread | None  # where iterations overlap: over the replay of the kernel whose wait


def row(kernels: KernelSet, measurement: Measurement, threads: int, case: str) -> Row:
    """The case's medians and ratios."""
    medians = spread.medians(measurement, threads, case)
    stock = spread.lowest([column for column in measurement.columns if not column.is_ours], medians)
    replays = [column for column in measurement.columns if column.is_ours and column.form == REPLAY]
    leading = stock or spread.lowest(replays, medians)
    ours = {c.form: c for c in measurement.columns if c.is_ours and leading and c.compiler == leading.compiler}

    def over(other: Column | None) -> spread.Spread | None:
        return _over(measurement, threads, case, ours.get(REPLAY), other)

    replay, waiting = ours.get(REPLAY), kernels.waiting(case)
    over_waiting = _over(measurement, threads, case, replay, replay, waiting) if waiting else None
    return Row(case, medians, ours, stock, over(ours.get(PLAIN)), over(stock), over(ours.get(LOOPS)), over_waiting)


def speed_up(measurement: Measurement, threads: int, case: str, runtime: str) -> float | None:
    """Of the replay over the plain tasks of a runtime, by its faster program, whose compiler the replay has as well."""
    columns = [column for column in measurement.columns if column.runtime == runtime and column.form == PLAIN]
    plain = spread.lowest(columns, spread.medians(measurement, threads, case))
    if plain is None:
        return None
    replay = next(
        (c for c in measurement.columns if c.is_ours and c.form == REPLAY and c.compiler == plain.compiler), None
    )
    found = _over(measurement, threads, case, replay, plain)
    return 1 / found.median if found else None


def _over(
    measurement: Measurement,
    threads: int,
    case: str,
    ours: Column | None,
    other: Column | None,
    other_case: str | None = None,
) -> spread.Spread | None:
    """Of the same case, unless another is named."""
    mine = _runs(measurement, threads, case, ours)
    theirs = _runs(measurement, threads, other_case or case, other)
    return spread.over(mine, theirs) if spread.median(mine) and spread.median(theirs) else None


def _runs(measurement: Measurement, threads: int, case: str, column: Column | None) -> list[Run]:
    return measurement.runs[threads].get(case, {}).get(column.key, []) if column else []


@dataclass(frozen=True)
class Course:
    """Nanoseconds of a first iteration and of each later one."""

    first: float
    later: float

    def total(self, iterations: float) -> float:
        return self.first + (iterations - 1) * self.later


def course(measurement: Measurement, threads: int, case: str, column: Column | None) -> Course | None:
    """What iterations take in a column; None where a run failed."""
    runs = _runs(measurement, threads, case, column)
    later = spread.median(runs)
    if later is None or not all("first" in run.words for run in runs):
        return None
    return Course(statistics.median(float(run.words["first"]) for run in runs), later)


def pays_from(replay: Course, plain: Course) -> int | None:
    """The number of iterations from which recording and replaying take no longer than creating tasks each time."""
    if replay.first <= plain.first:
        return 1 if replay.later <= plain.later else None
    if replay.later >= plain.later:
        return None
    return 1 + -int(-(replay.first - plain.first) // (plain.later - replay.later))


def geometric_mean(spreads: list[spread.Spread | None]) -> float | None:
    """Of those that are there."""
    found = [spread.median for spread in spreads if spread is not None]
    return statistics.geometric_mean(found) if found else None


def plain(kernels: KernelSet, measurement: Measurement) -> dict[str, Any]:
    """What the tables show, in JSON's terms."""
    return {
        str(threads): {case: _plain(row(kernels, measurement, threads, case)) for case in measurement.cases}
        for threads in measurement.runs
    }


def _plain(found: Row) -> dict[str, Any]:
    def entry(other: Column | None, ratio: spread.Spread | None) -> dict[str, Any] | None:
        if other is None or ratio is None:
            return None
        return {"against": other.key, "median": ratio.median, "min": ratio.least, "max": ratio.most}

    replay = found.ours.get(REPLAY)
    waiting = {"over_waiting": entry(replay, found.over_waiting)} if found.over_waiting else {}
    return {
        "ours": replay.key if replay else None,
        "over_plain": entry(found.ours.get(PLAIN), found.over_plain),
        "over_stock": entry(found.stock, found.over_stock),
        "over_loops": entry(found.ours.get(LOOPS), found.over_loops),
        **waiting,
    }
