"""The patterns of bench/kernels/grain, and the forms that each runtime runs them in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from heddle import paths
from heddle.bench.choice import matching
from heddle.bench.measurement import Case, Column

_PATTERNS = ("independent", "chains", "stencil", "bursts")
# What stands behind the name of a pattern, by what its bodies do, and the program's options for that. Uneven: on every
# second thread they sleep twice as long, as if half of the processors had half the speed.
_SUFFIXES = {"compute": "", "sleep": "/asleep", "uneven": "/uneven"}
_OPTIONS = {"compute": (), "sleep": ("--bodies", "sleep"), "uneven": ("--bodies", "sleep", "--slow", "2")}
BODIES = tuple(_SUFFIXES)
# What the program prints of a pattern is its efficiency at 1 us, in percent; at 1 ms where bodies sleep.
CASES = [
    Case(name + _SUFFIXES[bodies], name, _OPTIONS[bodies], by_default=bodies == "compute", unit="%")
    for bodies in BODIES
    for name in _PATTERNS
]

TASKS, GRAPH = "tasks", "graph"
ONETBB = "tbb"  # beside the OpenMP runtimes

# CMake builds it where oneTBB is installed.
_ONETBB_PROGRAM = paths.build_dir("release") / "bin" / "grain-tbb"


def chosen(words: str | None) -> list[Case]:
    """Patterns by a list of names; all without one. Those whose bodies sleep only where it says so.

    Errors: UserError for a word that matches none.
    """
    return [case for case in matching(words, CASES) if case.by_default or "/" in (words or "")]


def with_bodies(words: str | None, bodies: str) -> str:
    """The same list of names for patterns with these bodies, of BODIES."""
    return ",".join(word.strip() + _SUFFIXES[bodies] for word in (words or "*").split(","))


def named(name: str) -> Case:
    """The pattern of that name. Errors: UserError when there is none."""
    return next(iter(chosen(name)))


def in_forms(columns: list[Column]) -> list[Column]:
    """libheddle creates the tasks, and replays a taskgraph of them; the others create them."""
    return [
        replace(column, form=form) for column in columns for form in ((TASKS, GRAPH) if column.is_ours else (TASKS,))
    ]


def onetbb() -> dict[Column, Path]:
    """Tasks of a task_group, and a flow graph that is executed again and again, where oneTBB is installed."""
    forms = (TASKS, GRAPH) if _ONETBB_PROGRAM.exists() else ()
    return {Column("gcc", ONETBB, "oneTBB", form=form): _ONETBB_PROGRAM for form in forms}
