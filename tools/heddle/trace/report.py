"""What a run comes to, in ten lines or so for the terminal."""

from __future__ import annotations

import sys

from rich.markup import escape
from rich.table import Table

from heddle import terminal
from heddle.trace.summary import Summary

_KINDS = 6
_SHARES = 8


def show(summary: Summary, *, on_stderr: bool = False) -> None:
    """A line on the whole, then where the time went, then the constructs whose tasks took most of it.

    What is not as it should be goes to stderr before.
    """
    for line in summary.warnings:
        print(f"heddle: {line}", file=sys.stderr)
    console = terminal.console(on_stderr=on_stderr)
    counts = [f"{summary.processes} processes"] if summary.processes > 1 else []
    counts += [f"{summary.threads} threads", f"{summary.tasks} tasks"]
    if summary.stolen:
        counts.append(f"{summary.stolen} on another thread than their creator's")
    if summary.other_node:
        counts.append(f"{summary.other_node} on another NUMA node than their creator's")
    if summary.cancelled:
        counts.append(f"{summary.cancelled} cancelled")
    if summary.messages is not None:
        counts.append(f"{summary.messages} messages")
    busy = summary.computing / max(summary.duration, 1)
    console.print(
        f"{summary.duration / 1e6:.3f} ms, {', '.join(counts)}; {busy:.2f} threads computing on average",
        soft_wrap=True,
    )
    if flight := summary.flight_in_words():
        console.print(flight, soft_wrap=True)
    total = max(sum(share.ns for share in summary.shares), 1)
    table = Table("where the threads' time went", "", "ms", box=None)
    for share in summary.shares[:_SHARES]:
        table.add_row(escape(share.name), f"{100 * share.ns / total:.1f} %", f"{share.ns / 1e6:.3f}")
    console.print(table)
    if summary.kinds:
        table = Table("tasks of", "tasks", "ms", "shortest us", "median us", "longest us", box=None)
        for row in summary.kinds[:_KINDS]:
            times = [f"{ns / 1e3:.2f}" for ns in (row.shortest, row.median, row.longest)]
            table.add_row(escape(row.name), str(row.count), f"{row.ns / 1e6:.3f}", *times)
        console.print(table)
    if summary.waited:
        console.print(
            f"{summary.waited} tasks had to wait for others; {summary.right_behind / summary.waited:.0%} began right "
            "behind one of those, on its thread"
            + (f", {summary.far_behind / summary.waited:.0%} on another NUMA node" if summary.far_behind else ""),
            soft_wrap=True,
        )
    if summary.chain is not None:
        tasks, constructs = summary.chain
        most = f"{summary.own_ns / summary.chain_ns:.1f}" if summary.chain_ns else "any number of"
        console.print(
            f"longest chain of dependences: {tasks} tasks, {summary.chain_ns / 1e6:.3f} ms "
            f"({', '.join(constructs[:3])}); tasks could keep {most} threads busy",
            markup=False,
            soft_wrap=True,
        )
