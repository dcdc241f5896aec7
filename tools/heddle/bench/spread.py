"""Medians of runs, and ratios of two columns with their range."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from heddle.bench.measurement import Column, Measurement, Run


@dataclass(frozen=True)
class Spread:
    """A ratio taken round by round: its median and range."""

    median: float
    least: float
    most: float


def median(runs: list[Run]) -> float | None:
    """The median of the rounds; None where one of them has no value."""
    values = [run.value for run in runs]
    if not values or any(value is None for value in values):
        return None
    return statistics.median(value for value in values if value is not None)


def medians(measurement: Measurement, threads: int, case: str) -> dict[str, float | None]:
    """By the column's key."""
    runs = measurement.runs[threads].get(case, {})
    return {column.key: median(runs.get(column.key, [])) for column in measurement.columns}


def lowest(columns: list[Column], medians: dict[str, float | None]) -> Column | None:
    """The column with the lowest median; None where none has any."""
    able = [column for column in columns if medians.get(column.key) is not None]
    return min(able, key=lambda column: medians[column.key] or 0.0, default=None)


def over(ours: list[Run], theirs: list[Run]) -> Spread:
    """Our times over theirs. Requires: both have a median."""
    pairs = zip(ours, theirs, strict=True)
    found = [mine.value / other.value for mine, other in pairs if mine.value is not None and other.value]
    return Spread(statistics.median(found), min(found), max(found))
