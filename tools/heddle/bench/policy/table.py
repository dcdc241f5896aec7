"""What a person sees: for each case what it takes without each rule, over what it takes with all of them."""

from __future__ import annotations

import statistics
from dataclasses import replace
from typing import Any

from rich.console import Console
from rich.table import Table

from heddle.bench import report, spread
from heddle.bench.columns import RULES
from heddle.bench.measurement import Measurement
from heddle.bench.spread import Spread

# A rule that saves less than this nowhere is not worth its lines.
_WORTH = 1.03


def show(console: Console, measurement: Measurement) -> None:
    """Prints the whole report."""
    for threads in measurement.runs:
        rounds = report.plural(measurement.rounds, "round")
        console.print(f"\n[bold]{report.plural(threads, 'thread')}[/]: time without each rule over with all, {rounds}")
        console.print(_table(measurement, threads))
        report.show_failures(console, measurement, threads)


def plain(measurement: Measurement) -> dict[str, Any]:
    """threads -> case -> rule -> [median, least, most]."""
    return {
        str(threads): {
            case: {
                rule: [round(v, 3) for v in (found.median, found.least, found.most)]
                for rule in RULES
                if (found := _without(measurement, threads, case, rule))
            }
            for case in measurement.cases
        }
        for threads in measurement.runs
    }


def _without(measurement: Measurement, threads: int, case: str, rule: str) -> Spread | None:
    ours = measurement.columns[0]
    other = replace(ours, setting=f"without {rule}")
    runs = measurement.runs[threads].get(case, {})
    with_all, without = runs.get(ours.key, []), runs.get(other.key, [])
    if spread.median(with_all) is None or spread.median(without) is None:
        return None
    return spread.over(without, with_all)


def _table(measurement: Measurement, threads: int) -> Table:
    table = Table("case", "ns", *RULES, box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column in table.columns[1:]:
        column.justify = "right"
    found: dict[str, list[float]] = {rule: [] for rule in RULES}
    for case in measurement.cases:
        took = spread.median(measurement.runs[threads][case].get(measurement.columns[0].key, []))
        cells = []
        for rule in RULES:
            ratio = _without(measurement, threads, case, rule)
            cells.append(_cell(ratio))
            if ratio:
                found[rule].append(ratio.median)
        table.add_row(case, report.number(took) if took is not None else "failed", *cells)
    means = [f"{statistics.geometric_mean(values):.2f}" if values else "" for values in found.values()]
    table.add_row("geometric mean", "", *means)
    return table


def _cell(ratio: Spread | None) -> str:
    """Bold where the rule saves something in every round, red where it costs something in every round."""
    if ratio is None:
        return ""
    text = f"{ratio.median:.2f}"
    if ratio.median >= _WORTH and ratio.least > 1:
        return f"[bold]{text}[/]"
    return f"[red]{text}[/]" if ratio.median <= 2 - _WORTH and ratio.most < 1 else text
