"""How libheddle compares: medians, the better stock runtime, ratios and their spread.

The better stock runtime of a case is the stock column with the lowest median. libheddle counts with the program of the
same compiler: the ratio is taken round by round, and its median over the rounds is shown with its range.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from heddle.bench.measurement import Column, Measurement, Run


@dataclass(frozen=True)
class Ratio:
    """libheddle over the better stock runtime; below 1 is in our favour."""

    ours: Column
    stock: Column
    median: float
    least: float
    most: float


@dataclass(frozen=True)
class Row:
    """One case at one number of threads. A median is None where a round has no value; ratio where there is none."""

    case: str
    medians: dict[str, float | None]  # by the column's key
    ratio: Ratio | None


def median(runs: list[Run]) -> float | None:
    """The median of the rounds; None where one of them has no value."""
    values = [run.value for run in runs]
    if not values or any(value is None for value in values):
        return None
    return statistics.median(value for value in values if value is not None)


def better_stock(columns: list[Column], medians: dict[str, float | None]) -> Column | None:
    """The stock column with the lowest median."""
    able = [column for column in columns if not column.is_ours and medians.get(column.key) is not None]
    return min(able, key=lambda column: medians[column.key] or 0.0, default=None)


def groups_of(columns: list[Column]) -> list[list[Column]]:
    """The settings of each program and runtime together: they share a column of the table and a curve."""
    groups: dict[tuple[str, str], list[Column]] = {}
    for column in columns:
        groups.setdefault((column.compiler, column.runtime), []).append(column)
    return list(groups.values())


def row(measurement: Measurement, threads: int, case: str) -> Row:
    """The case's medians and ratio."""
    runs = measurement.runs[threads][case]
    medians = {column.key: median(runs.get(column.key, [])) for column in measurement.columns}
    stock = better_stock(measurement.columns, medians)
    return Row(case, medians, None if stock is None else _ratio(measurement, runs, medians, stock))


def _ratio(
    measurement: Measurement, runs: dict[str, list[Run]], medians: dict[str, float | None], stock: Column
) -> Ratio | None:
    ours = next((c for c in measurement.columns if c.is_ours and c.compiler == stock.compiler), None)
    if ours is None or medians[ours.key] is None:
        return None
    pairs = zip(runs[ours.key], runs[stock.key], strict=True)
    found = [mine.value / theirs.value for mine, theirs in pairs if mine.value is not None and theirs.value]
    return Ratio(ours, stock, statistics.median(found), min(found), max(found))


def geometric_mean(rows: list[Row]) -> float | None:
    """Over the rows that have a ratio."""
    found = [row.ratio.median for row in rows if row.ratio is not None]
    return statistics.geometric_mean(found) if found else None
