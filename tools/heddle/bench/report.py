"""Words and numbers that the reports of all sets share."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape

from heddle.bench.measurement import Measurement, failure
from heddle.bench.spread import Spread


def number(value: float) -> str:
    """Three digits at least."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def ratio(spread: Spread) -> str:
    """In green where it is in our favour, with its range."""
    colour = "green" if spread.median <= 1 else "red" if spread.median > 1.05 else "yellow"
    return f"[{colour}]{spread.median:.2f}[/] {escape(f'[{spread.least:.2f} {spread.most:.2f}]')}"


def show_failures(console: Console, measurement: Measurement, threads: int) -> None:
    """A line for each column in which a case failed."""
    for case, by_column in measurement.runs[threads].items():
        for column in measurement.columns:
            why = failure(by_column.get(column.key, []))
            if why:
                console.print(f"[red]{case} on {escape(column.label)} failed[/]: {escape(why)}", soft_wrap=True)
