"""What a person sees: a table a number of threads, the mean of the ratios, and what went wrong."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from heddle.bench import cases, ratios
from heddle.bench.measurement import Column, Measurement, Run
from heddle.bench.ratios import Row


def show(console: Console, measurement: Measurement) -> None:
    """Prints the whole report."""
    for threads in measurement.runs:
        rows = [ratios.row(measurement, threads, case) for case in measurement.cases]
        console.print(f"\n[bold]{_plural(threads, 'thread')}[/]: medians of {_plural(measurement.rounds, 'round')}")
        console.print(_table(measurement, threads, rows))
        _show_mean(console, rows)
        _show_failures(console, measurement, threads)


def _table(measurement: Measurement, threads: int, rows: list[Row]) -> Table:
    groups = ratios.groups_of(measurement.columns)
    headings = [f"{group[0].title}\n{group[0].compiler}" for group in groups]
    table = Table("\ncase", "\nunit", *headings, "ratio\n[min max]", "\nagainst", box=None, pad_edge=False)
    for column in table.columns:
        column.no_wrap = True
    for column in table.columns[2:-1]:
        column.justify = "right"
    for row in rows:
        runs = measurement.runs[threads][row.case]
        cells = [_cell(row, group, [run for column in group for run in runs.get(column.key, [])]) for group in groups]
        ratio, against = "", ""
        if row.ratio:
            colour = "green" if row.ratio.median <= 1 else "red" if row.ratio.median > 1.05 else "yellow"
            spread = escape(f"[{row.ratio.least:.2f} {row.ratio.most:.2f}]")
            ratio = f"[{colour}]{row.ratio.median:.2f}[/] {spread}"
            against = row.ratio.stock.label
        table.add_row(row.case, cases.named(row.case).unit, *cells, ratio, escape(against))
    return table


def _cell(row: Row, group: list[Column], runs: list[Run]) -> str:
    """The lowest median of the group's settings."""
    medians = [median for column in group if (median := row.medians[column.key]) is not None]
    if medians:
        shown = number(min(medians))
        compared = row.ratio is not None and (row.ratio.ours in group or row.ratio.stock in group)
        return f"[bold]{shown}[/]" if compared else shown
    if any(run.refused for run in runs):
        return "cannot"
    return "[red]failed[/]" if any(run.failure for run in runs) else "none"


def number(value: float) -> str:
    """Three digits at least."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def _show_mean(console: Console, rows: list[Row]) -> None:
    timed = [row for row in rows if row.ratio and cases.named(row.case).unit == "ns"]
    mean = ratios.geometric_mean(timed)
    if mean is None:
        return
    worst = max(timed, key=lambda row: row.ratio.median if row.ratio else 0)
    assert worst.ratio is not None
    console.print(
        f"ratio is libheddle over the better stock runtime; geometric mean of {len(timed)} {mean:.3f}, "
        f"highest {worst.ratio.median:.2f} ({worst.case})"
    )


def _show_failures(console: Console, measurement: Measurement, threads: int) -> None:
    for case, by_column in measurement.runs[threads].items():
        for column in measurement.columns:
            why = failure(by_column.get(column.key, []))
            if why:
                console.print(f"[red]{case} on {escape(column.label)} failed[/]: {escape(why)}", soft_wrap=True)


def failure(runs: list[Run]) -> str:
    """Why a case failed in a column; empty where it did not. What a runtime cannot do is no failure."""
    return next((run.failure for run in runs if run.failure and not run.refused), "")


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
