"""What a person sees: a table a kernel and number of threads, the means of the ratios, and what went wrong."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from heddle.bench import report
from heddle.bench.forms import ratios
from heddle.bench.forms.kernel_set import Kernel, KernelSet, grain_of
from heddle.bench.forms.ratios import LOOPS, PLAIN, REPLAY, Row
from heddle.bench.measurement import Column, Measurement

_NS_IN_US = 1000


def show(console: Console, kernels: KernelSet, measurement: Measurement) -> None:
    """Prints the whole report."""
    rounds = report.plural(measurement.rounds, "round")
    for threads in measurement.runs:
        rows = {case: ratios.row(kernels, measurement, threads, case) for case in measurement.cases}
        for kernel, names in kernels.by_kernel(measurement.cases).items():
            title = f"[bold]{kernel.name}[/], {report.plural(threads, 'thread')}"
            console.print(f"\n{title}: µs an iteration, medians of {rounds}")
            console.print(_table(measurement, threads, kernel, [rows[name] for name in names]))
            _show_stock(console, [rows[name] for name in names])
        _show_means(console, threads, list(rows.values()))
        report.show_failures(console, measurement, threads)


def _table(measurement: Measurement, threads: int, kernel: Kernel, rows: list[Row]) -> Table:
    # Executions that overlap are compared with those that wait, and not with loops, which always wait.
    third = LOOPS if kernel.waits is None else None
    headings = ("\nplain", "\nreplay", *(["\nloops"] if third else [f"over\n{kernel.waits}"]), "\nstock")
    compared = ("replay over\nplain", "pays\nfrom", "replay over\nstock")
    table = Table(
        kernel.pieces.replace(" ", "\n", 1) if " " in kernel.pieces else f"\n{kernel.pieces}",
        "\ntasks",
        *headings,
        *compared,
        box=None,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for column in table.columns:
        column.no_wrap = True
        column.justify = "right"
    for row in rows:
        over_waiting = f"{row.over_waiting.median:.2f}" if row.over_waiting else ""
        table.add_row(
            str(grain_of(row.case)),
            _tasks(measurement, threads, row),
            _time(row, row.ours.get(PLAIN)),
            _time(row, row.ours.get(REPLAY)),
            _time(row, row.ours.get(LOOPS)) if third else over_waiting,
            _time(row, row.stock),
            report.ratio(row.over_plain) if row.over_plain else "",
            _pays_from(measurement, threads, row),
            report.ratio(row.over_stock) if row.over_stock else "",
        )
    return table


def _show_stock(console: Console, rows: list[Row]) -> None:
    """Which stock runtime is the better one for which grain."""
    by_stock: dict[str, list[str]] = {}
    for row in rows:
        if row.stock:
            name = f"{row.stock.title} ({row.stock.compiler})"
            by_stock.setdefault(name, []).append(str(grain_of(row.case)))
    for name, grains in by_stock.items():
        where = f" for {', '.join(grains)}" if len(by_stock) > 1 else ""
        console.print(f"stock{where}: {escape(name)}")


def _tasks(measurement: Measurement, threads: int, row: Row) -> str:
    """What the program says; the same in every column."""
    runs = [run for column in measurement.runs[threads].get(row.case, {}).values() for run in column]
    return next((run.words["tasks"] for run in runs if "tasks" in run.words), "")


def _time(row: Row, column: Column | None) -> str:
    if column is None:
        return ""
    median = row.medians[column.key]
    return "[red]failed[/]" if median is None else report.number(median / _NS_IN_US)


def _pays_from(measurement: Measurement, threads: int, row: Row) -> str:
    replay, plain = (ratios.course(measurement, threads, row.case, row.ours.get(form)) for form in (REPLAY, PLAIN))
    if replay is None or plain is None:
        return ""
    found = ratios.pays_from(replay, plain)
    return "never" if found is None else str(found)


def _show_means(console: Console, threads: int, rows: list[Row]) -> None:
    console.print("\nplain, replay, loops: libheddle; stock: plain tasks on the better stock runtime")
    means = [
        (ratios.geometric_mean([row.over_plain for row in rows]), "plain tasks"),
        (ratios.geometric_mean([row.over_stock for row in rows]), "the better stock runtime's"),
        (ratios.geometric_mean([row.over_loops for row in rows]), "loops"),
    ]
    words = [f"{mean:.3f} over {what}" for mean, what in means if mean is not None]
    if words:
        console.print(
            f"{report.plural(threads, 'thread')}, replayed, geometric mean of {len(rows)}:\n{', '.join(words)}"
        )
