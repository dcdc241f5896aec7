"""Graphs as tables: a line a graph, then a line a construct."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from heddle import terminal
from heddle.graph.analysis import Analysis, Construct
from heddle.graph.words import count, digits, duration, percent, plural

# Past this many graphs the constructs are shown of a chosen one alone.
_MOST_IN_DETAIL = 8
_LEAST_THREADS = 8
_MOST_THREADS = 1024


def show(analyses: list[Analysis], constructs: list[list[Construct]]) -> None:
    """Prints the graphs, then what each consists of."""
    console = terminal.console()
    console.print(_graphs(analyses))
    if len(analyses) > _MOST_IN_DETAIL:
        console.print(f"\n{len(analyses)} graphs: --graph N shows what one of them consists of")
        return
    for analysis, parts in zip(analyses, constructs):
        if not parts:
            continue
        console.print(f"\ngraph {analysis.graph.number}", end="\n\n")
        console.print(_constructs(analysis, parts))
        console.print(f"\n{speed_ups(analysis)}", soft_wrap=True)


def speed_ups(analysis: Analysis) -> str:
    """In one line: for 2, 4, 8 threads, and on until more cannot help."""
    words = []
    threads = 2
    while threads <= _MOST_THREADS:
        least, most = (digits(value) for value in analysis.speed_up(threads))
        words.append(f"{threads} threads {least}" + (f" to {most}" if least != most else ""))
        if threads >= max(analysis.parallelism, _LEAST_THREADS):
            break
        threads *= 2
    return f"speed-up by {', '.join(words)}"


def _graphs(analyses: list[Analysis]) -> Table:
    carries = any(len(analysis.graph.carried) for analysis in analyses)
    table = Table(box=None, pad_edge=False)
    titles = ["graph", "graph_id", "executions", "tasks", "edges", *(["to the next"] if carries else [])]
    titles += ["longest chain", "critical path", "work", "parallelism", "width", "mean task"]
    for title in titles:
        table.add_column(title, justify="right")
    for analysis in analyses:
        graph = analysis.graph
        row = [str(graph.number), str(graph.graph_id), *map(count, (graph.executions, analysis.tasks))]
        row += [count(len(graph.edges)), *([count(len(graph.carried))] if carries else [])]
        row.append(plural(analysis.longest_chain, "task"))
        row += [duration(cost, analysis.is_measured) for cost in (analysis.length, analysis.work)]
        row += [digits(analysis.parallelism), count(analysis.width)]
        row.append(duration(analysis.mean_cost, True) if analysis.is_measured else "not measured")
        table.add_row(*row)
    return table


def _constructs(analysis: Analysis, parts: list[Construct]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("construct", overflow="fold")
    for title in ("tasks", "mean", "longest", "of the work", "of the critical path"):
        table.add_column(title, justify="right")
    for part in parts:
        times = [duration(cost, True) if analysis.is_measured else "" for cost in (part.mean, part.longest)]
        shares = [percent(part.work_share), percent(part.critical_share)]
        table.add_row(escape(part.place), count(part.tasks), *times, *shares)
    return table
