"""What is measured: cases, columns, runs, and where they lie. JSON's form of it is in record.py."""

from __future__ import annotations

from dataclasses import dataclass, field

# The settings that a column has when nobody chose any.
DEFAULT = "default"

# Words of the program's line: what a case is judged by.
VALUE, PEAK_MIB = "value", "peak_mib"


@dataclass(frozen=True)
class Case:
    """One kernel with its options. A case that is not by default runs only where it is named."""

    name: str
    kernel: str
    options: tuple[str, ...] = ()
    by_default: bool = True
    field: str = VALUE
    unit: str = "ns"  # bytes and MiB have no part in the mean of ratios
    least_timeout_s: float = 0.0
    program: str = ""  # which of the set's programs; empty: its first


@dataclass(frozen=True)
class Column:
    """A compiler's program on a runtime under some settings."""

    compiler: str  # gcc or clang
    runtime: str  # as --runtime spells it
    title: str  # the runtime's name for people
    setting: str = DEFAULT
    form: str = ""  # which of the program's forms, where it has several

    @property
    def key(self) -> str:
        """Unique among the columns; how JSON names it."""
        return " ".join([self.compiler, self.runtime, *self._details])

    @property
    def is_ours(self) -> bool:
        return self.runtime == "heddle"

    @property
    def label(self) -> str:
        """For headings and legends."""
        return f"{self.title} ({', '.join([self.compiler, *self._details])})"

    @property
    def _details(self) -> list[str]:
        return [word for word in (self.setting, self.form) if word not in {DEFAULT, ""}]


@dataclass(frozen=True)
class Point:
    """One task length of a sweep."""

    task_ns: float
    efficiency: float


@dataclass(frozen=True)
class Run:
    """One start of the program. value is None where it failed (why: failure) or measured nothing."""

    value: float | None
    words: dict[str, str] = field(default_factory=dict)
    points: tuple[Point, ...] = ()
    failure: str = ""
    refused: bool = False  # the runtime lacks what the kernel needs: no mistake of anybody


def failure(runs: list[Run]) -> str:
    """Why a case failed in a column; empty where it did not. What a runtime cannot do is no failure."""
    return next((run.failure for run in runs if run.failure and not run.refused), "")


# case -> column's key -> one run a round
Rows = dict[str, dict[str, list[Run]]]


@dataclass
class Measurement:
    """Everything that a session measured."""

    columns: list[Column]
    cases: list[str]
    rounds: int
    runs: dict[int, Rows] = field(default_factory=dict)  # by the number of threads

    def curve(self, threads: int, case: str, column: Column) -> list[list[Point]]:
        """The sweeps of a case in that column, one a round that has one."""
        return [list(run.points) for run in self.runs[threads].get(case, {}).get(column.key, []) if run.points]
