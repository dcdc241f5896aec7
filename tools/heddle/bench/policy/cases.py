"""The cases: tasks of every shape that some rule is for, and of those that it could be wrong about."""

from __future__ import annotations

from dataclasses import replace

from heddle.bench import columns, graphs, tasks
from heddle.bench.choice import matching
from heddle.bench.measurement import Case, Column

_TASKS = (
    *("independent", "chain", "stencil", "wavefront", "producer", "consumer", "sweeps"),
    *("fib", "nqueens", "mixed-uts", "nested", "live-chain-1000"),
    *("mixed-late", "mixed-busy", "mixed-rare", "mixed-growing", "mixed-producers"),
)
AMR = "amr"
_GRAPHS = ("heat/64", "heat-pipelined/8", "heat-pipelined/32", "axpy/65536", "dotp/4096", "nbody/256", "hog/64")


def _replayed(name: str) -> Case:
    case = graphs.cases.SET.named(name)
    return replace(case, options=(*case.options, "--form", "graph"), program="graphs")


CASES: list[Case] = [
    *(tasks.cases.named(name) for name in _TASKS),
    *(_replayed(name) for name in _GRAPHS),
    *(Case(f"{AMR}/{variant}", variant, program=AMR, least_timeout_s=120) for variant in ("task-2", "task-graph")),
]


def chosen(words: str | None) -> list[Case]:
    """Cases by a list of names and patterns; all without one. Errors: UserError for a word that matches none."""
    return matching(words, CASES)


def named(name: str) -> Case:
    """The case of that name. Errors: UserError when there is none."""
    return next(iter(chosen(name)))


def with_and_without(all_columns: list[Column]) -> list[Column]:
    """libheddle under GCC's program: as it is, then without one rule each."""
    ours = next(column for column in all_columns if column.is_ours)
    return [ours, *(replace(ours, setting=setting) for setting in columns.WITHOUT)]
