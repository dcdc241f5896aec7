"""What a person sees: a table a number of threads, efficiency over the length of tasks."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from heddle.bench import report
from heddle.bench.grain import efficiency
from heddle.bench.measurement import Measurement


def show(console: Console, measurement: Measurement) -> None:
    """Prints the whole report."""
    for threads in measurement.runs:
        rounds = report.plural(measurement.rounds, "round")
        console.print(f"\n[bold]{report.plural(threads, 'thread')}[/]: medians of {rounds}; task length in us")
        console.print(_table(measurement, threads))
        report.show_failures(console, measurement, threads)
    console.print("\nefficiency: time of the bodies without tasks / (processors x time with tasks)")


def _table(measurement: Measurement, threads: int) -> Table:
    curves = {
        (case, column): found
        for case in measurement.cases
        for column in measurement.columns
        if (found := efficiency.curve(measurement, threads, case, column))
    }
    lengths = sorted({length for found in curves.values() for length in found})
    table = Table("pattern", "runtime", *(f"{length / 1000:g}" for length in lengths), box=None, pad_edge=False)
    for column in table.columns[2:]:
        column.justify = "right"
    last = ""
    for (case, column), found in curves.items():
        best = {
            length: max(other.get(length, 0) for (c, _), other in curves.items() if c == case) for length in lengths
        }
        cells = [_cell(found.get(length), best[length]) for length in lengths]
        table.add_row("" if case == last else case, escape(column.label), *cells)
        last = case
    return table


def _cell(value: float | None, best: float) -> str:
    if value is None:
        return ""
    return f"[bold]{value:.2f}[/]" if value >= best else f"{value:.2f}"
