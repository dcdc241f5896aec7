"""What a person sees: a table a number of threads, the mean of the ratios, and what went wrong."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

from heddle.bench import report
from heddle.bench.measurement import Column, Measurement, Run
from heddle.bench.tasks import cases, ratios
from heddle.bench.tasks.ratios import Row


def show(console: Console, measurement: Measurement) -> None:
    """Prints the whole report."""
    for threads in measurement.runs:
        rows = [ratios.row(measurement, threads, case) for case in measurement.cases]
        console.print(
            f"\n[bold]{report.plural(threads, 'thread')}[/]: medians of {report.plural(measurement.rounds, 'round')}"
        )
        console.print(_table(measurement, threads, rows))
        _show_mean(console, rows)
        report.show_failures(console, measurement, threads)


def _table(measurement: Measurement, threads: int, rows: list[Row]) -> Table:
    groups = ratios.groups_of(measurement.columns)
    headings = [f"{group[0].title.split()[0]}\n{group[0].compiler}" for group in groups]
    table = Table("\ncase", *headings, "ratio\n[min max]", box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column in table.columns:
        column.no_wrap = True
    for column in table.columns[1:]:
        column.justify = "right"
    for row in rows:
        runs = measurement.runs[threads][row.case]
        cells = [_cell(row, group, [run for column in group for run in runs.get(column.key, [])]) for group in groups]
        unit = cases.named(row.case).unit
        name = row.case if unit == "ns" else f"{row.case}, {unit}"
        table.add_row(name, *cells, report.ratio(row.ratio) if row.ratio else "")
    return table


def _cell(row: Row, group: list[Column], runs: list[Run]) -> str:
    """The lowest median of the group's settings."""
    medians = [median for column in group if (median := row.medians[column.key]) is not None]
    if medians:
        shown = report.number(min(medians))
        return f"[bold]{shown}*[/]" if row.ratio and {row.ratio.ours, row.ratio.stock} & set(group) else f"{shown} "
    if any(run.refused for run in runs):
        return "cannot"
    return "[red]failed[/]" if any(run.failure for run in runs) else "none"


def _show_mean(console: Console, rows: list[Row]) -> None:
    timed = [row for row in rows if row.ratio and cases.named(row.case).unit == "ns"]
    mean = ratios.geometric_mean(timed)
    if mean is None:
        return
    worst = max(timed, key=lambda row: row.ratio.median if row.ratio else 0)
    assert worst.ratio is not None
    console.print(
        "nanoseconds, but where a unit is named; ratio: of the two with a star, libheddle\n"
        "over the better stock runtime"
    )
    console.print(f"geometric mean of {len(timed)} {mean:.3f}, highest {worst.ratio.median:.2f} ({worst.case})")
