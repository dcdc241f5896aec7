"""Graphs as files for other programs: JSON, and Graphviz's language. docs/runtime/taskgraphs.md describes the JSON."""

from __future__ import annotations

from typing import Any

from heddle.graph import palette
from heddle.graph.analysis import Analysis, Construct
from heddle.graph.read import JOIN
from heddle.graph.words import duration, short
from heddle.look import INK, MUTED


def record(analyses: list[Analysis], constructs: list[list[Construct]], places: dict[int, str]) -> dict[str, Any]:
    """What --json writes."""
    return {"graphs": [_graph(analysis, parts, places) for analysis, parts in zip(analyses, constructs)]}


def dot(analysis: Analysis, constructs: list[Construct], places: dict[int, str]) -> str:
    """What --dot writes."""
    graph = analysis.graph
    colour_of = palette.colours(constructs)
    lines = [
        f"digraph graph_{graph.number} {{",
        f'  node [shape=box, style=filled, fontname="Helvetica", fontsize=10, color="{MUTED}"];',
        f'  edge [color="{MUTED}", arrowsize=0.6];',
    ]
    critical = set(analysis.critical.tolist())
    for node, code in enumerate(graph.codes.tolist()):
        if code == JOIN:
            lines.append(f'  n{node} [shape=point, label=""];')
            continue
        place = places[code]
        label = _quoted(short(place))
        if analysis.is_measured:
            label += f"\\n{duration(analysis.cost[node], True)}"
        emphasis = f', color="{INK}", penwidth=2.5' if node in critical else ""
        colours = f'fillcolor="{colour_of[place]}", fontcolor="{palette.ink_on(colour_of[place])}"'
        lines.append(f'  n{node} [label="{label}", {colours}{emphasis}];')
    path = set(zip(analysis.critical.tolist(), analysis.critical[1:].tolist()))
    for i, j in graph.edges.tolist():
        emphasis = f' [color="{INK}", penwidth=2]' if (i, j) in path else ""
        lines.append(f"  n{i} -> n{j}{emphasis};")
    lines += [f"  n{i} -> n{j} [style=dashed, constraint=false];" for i, j in graph.carried.tolist()]
    return "\n".join([*lines, "}", ""])


def _graph(analysis: Analysis, constructs: list[Construct], places: dict[int, str]) -> dict[str, Any]:
    graph, is_measured = analysis.graph, analysis.is_measured
    critical = set(analysis.critical.tolist())
    tasks = []
    for node, code in enumerate(graph.codes.tolist()):
        tasks.append(
            {
                "code": code,
                "place": places.get(code),
                "priority": int(graph.priorities[node]),
                "times": int(graph.times[node]),
                "mean_ns": _rounded(analysis.cost[node]) if is_measured else None,
                "earliest_start_ns": _rounded(analysis.start[node]) if is_measured else None,
                "depth": int(analysis.depth[node]),
                "is_critical": node in critical,
            }
        )
    return {
        "number": graph.number,
        "graph_id": graph.graph_id,
        "executions": graph.executions,
        "summary": _summary(analysis),
        "constructs": [_construct(part, is_measured) for part in constructs],
        "tasks": tasks,
        "edges": graph.edges.tolist(),
        "carried": graph.carried.tolist(),
    }


def _summary(analysis: Analysis) -> dict[str, Any]:
    is_measured = analysis.is_measured
    return {
        "tasks": analysis.tasks,
        "edges": len(analysis.graph.edges),
        "carried": len(analysis.graph.carried),
        "longest_chain_tasks": analysis.longest_chain,
        "critical_path_ns": _rounded(analysis.length) if is_measured else None,
        "work_ns": _rounded(analysis.work) if is_measured else None,
        "mean_task_ns": _rounded(analysis.mean_cost) if is_measured else None,
        "parallelism": round(analysis.parallelism, 3),
        "width": analysis.width,
    }


def _construct(part: Construct, is_measured: bool) -> dict[str, Any]:
    return {
        "place": part.place,
        "tasks": part.tasks,
        "mean_ns": _rounded(part.mean) if is_measured else None,
        "longest_ns": _rounded(part.longest) if is_measured else None,
        "work_share": round(part.work_share, 4),
        "critical_share": round(part.critical_share, 4),
    }


def _rounded(ns: float) -> float:
    return round(float(ns), 1)


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
