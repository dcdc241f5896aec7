"""What a person sees: one table, then what libheddle lacks, then what is flaky."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from heddle import runtimes
from heddle.judge import compilers, matrix

_SHOWN_LINES = 6


def show(console: Console, cases: list[matrix.Case], found: list[runtimes.Runtime]) -> None:
    """Prints the whole report."""
    console.print(_table(cases, found))
    _show_refused(console, cases)
    titles = {runtime.name: runtime.title for runtime in found}
    lacking = [case for case in cases if case.only_stock]
    if lacking:
        console.print(f"\n[bold]{len(lacking)} that a stock runtime passes and libheddle does not[/]")
        for case in lacking:
            stock = ", ".join(titles[name] for name in case.only_stock)
            console.print(f"[red]{escape(case.program.name)}[/] (passes on {stock}): {_what(case.verdicts['heddle'])}")
            _print_end(console, case.verdicts["heddle"])
    flaky = [(case, name) for case in cases for name in case.verdicts if case.verdicts[name].state == matrix.FLAKY]
    if flaky:
        console.print("\n[bold]flaky[/]")
        for case, name in flaky:
            console.print(f"{escape(case.program.name)} on {titles[name]}: {_what(case.verdicts[name])}")


def _show_refused(console: Console, cases: list[matrix.Case]) -> None:
    refused = [case for case in cases if not case.compiled]
    if refused:
        console.print("\n[bold]do not compile[/]")
    for case in refused:
        # Compilers begin with the path that they were given; the program's name says that already.
        place = re.match(rf"\S*\b{re.escape(case.program.source.name)}(?=:)", case.binary.reason)
        text = case.binary.reason[place.end() :] if place else f": {case.binary.reason}"
        console.print(f"{escape(case.program.name)}{escape(text)}", soft_wrap=True)


def show_missed(console: Console, cases: Iterable[matrix.Case]) -> None:
    """Prints the expected programs that do not pass."""
    console.print("\n[bold]expected of libheddle and not passed[/]")
    for case in cases:
        if case.compiled:
            console.print(f"[red]{escape(case.program.name)}[/]: {_what(case.verdicts['heddle'])}")
            _print_end(console, case.verdicts["heddle"])
        else:
            console.print(f"[red]{escape(case.program.name)}[/]: does not compile")
            _print_lines(console, case.binary.said)


def _table(cases: list[matrix.Case], found: list[runtimes.Runtime]) -> Table:
    table = Table(
        "", "compiler", "programs", "compiled", *(runtime.title for runtime in found), box=None, pad_edge=False
    )
    for column in table.columns[2:]:
        column.justify = "right"
    groups = [
        (language, [case for case in cases if case.program.language == language]) for language in compilers.LANGUAGES
    ]
    groups = [group for group in groups if group[1]]
    if len(groups) > 1:
        groups.append(("all", cases))
    for title, members in groups:
        command = {case.compiler.name if case.compiler else "none" for case in members}
        row = [title, command.pop() if len(command) == 1 else "", str(len(members))]
        row.append(str(sum(case.compiled for case in members)))
        row += [_cell(members, runtime.name) for runtime in found]
        table.add_row(*row)
    return table


def _cell(cases: list[matrix.Case], runtime: str) -> str:
    """Passed, and of how many where the runtime cannot serve all that compiled."""
    compiled = [case for case in cases if case.compiled]
    served = [case for case in compiled if case.verdicts[runtime].served]
    passed = sum(case.passes(runtime) for case in served)
    if not served and compiled:
        return "cannot"
    return str(passed) if len(served) == len(compiled) or runtime == "heddle" else f"{passed} of {len(served)}"


def _what(verdict: matrix.Verdict) -> str:
    if not verdict.served:
        return escape(verdict.reason)
    failure = verdict.first_failure()
    assert failure is not None
    failures = sum(not run.passed for run in verdict.runs)
    often = f", {failures} of {len(verdict.runs)} runs" if len(verdict.runs) > 1 else ""
    return f"{failure.end()}{often}"


def _print_end(console: Console, verdict: matrix.Verdict) -> None:
    failure = verdict.first_failure()
    _print_lines(console, failure.tail if failure else ())


def _print_lines(console: Console, lines: tuple[str, ...]) -> None:
    for line in lines[-_SHOWN_LINES:]:
        console.print(f"    {escape(line)}", soft_wrap=True)
