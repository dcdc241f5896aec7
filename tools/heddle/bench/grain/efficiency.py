"""Efficiency by task length: medians over the rounds."""

from __future__ import annotations

import statistics
from typing import Any

from heddle.bench.measurement import Column, Measurement


def curve(measurement: Measurement, threads: int, case: str, column: Column) -> dict[float, float]:
    """Median efficiency by the length of a task in nanoseconds; empty where the column has none."""
    found: dict[float, list[float]] = {}
    for points in measurement.curve(threads, case, column):
        for point in points:
            found.setdefault(point.task_ns, []).append(point.efficiency)
    return {length: statistics.median(values) for length, values in sorted(found.items())}


def plain(measurement: Measurement) -> dict[str, Any]:
    """Every curve, in JSON's terms: threads, pattern, column, length in nanoseconds, efficiency."""
    return {
        str(threads): {
            case: {
                column.key: {f"{length:g}": value for length, value in found.items()}
                for column in measurement.columns
                if (found := curve(measurement, threads, case, column))
            }
            for case in measurement.cases
        }
        for threads in measurement.runs
    }
