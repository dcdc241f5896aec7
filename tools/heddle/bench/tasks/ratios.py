"""How libheddle compares: medians, the better stock runtime, ratios and their spread.

The better stock runtime of a case is the stock column with the lowest median. libheddle counts with the program of the
same compiler: the ratio is taken round by round, and its median over the rounds is shown with its range.
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import Any

from heddle.bench import spread
from heddle.bench.measurement import Column, Measurement


@dataclass(frozen=True)
class Ratio(spread.Spread):
    """libheddle over the better stock runtime; below 1 is in our favour."""

    ours: Column
    stock: Column


@dataclass(frozen=True)
class Row:
    """One case at one number of threads. A median is None where a round has no value; ratio where there is none."""

    case: str
    medians: dict[str, float | None]  # by the column's key
    ratio: Ratio | None


def groups_of(columns: list[Column]) -> list[list[Column]]:
    """The settings of each program and runtime together: they share a column of the table and a curve."""
    groups: dict[tuple[str, str], list[Column]] = {}
    for column in columns:
        groups.setdefault((column.compiler, column.runtime), []).append(column)
    return list(groups.values())


def row(measurement: Measurement, threads: int, case: str) -> Row:
    """The case's medians and ratio."""
    medians = spread.medians(measurement, threads, case)
    stock = spread.lowest([column for column in measurement.columns if not column.is_ours], medians)
    return Row(case, medians, None if stock is None else _ratio(measurement, threads, case, medians, stock))


def _ratio(
    measurement: Measurement, threads: int, case: str, medians: dict[str, float | None], stock: Column
) -> Ratio | None:
    ours = next((c for c in measurement.columns if c.is_ours and c.compiler == stock.compiler), None)
    if ours is None or medians[ours.key] is None:
        return None
    runs = measurement.runs[threads][case]
    found = spread.over(runs[ours.key], runs[stock.key])
    return Ratio(found.median, found.least, found.most, ours, stock)


def geometric_mean(rows: list[Row]) -> float | None:
    """Over the rows that have a ratio."""
    found = [row.ratio.median for row in rows if row.ratio is not None]
    return statistics.geometric_mean(found) if found else None


def plain(measurement: Measurement) -> dict[str, Any]:
    """What the table shows, in JSON's terms."""
    return {
        str(threads): {
            found.case: {
                "ours": found.ratio.ours.key,
                "stock": found.ratio.stock.key,
                "median": found.ratio.median,
                "min": found.ratio.least,
                "max": found.ratio.most,
            }
            for found in (row(measurement, threads, case) for case in measurement.cases)
            if found.ratio
        }
        for threads in measurement.runs
    }
