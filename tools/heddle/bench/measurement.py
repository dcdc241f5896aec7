"""What was measured: columns, runs, and where they lie. JSON's form of it is in record.py."""

from __future__ import annotations

from dataclasses import dataclass, field

# The settings that a column has when nobody chose any.
DEFAULT = "default"


@dataclass(frozen=True)
class Column:
    """A compiler's program on a runtime under some settings."""

    compiler: str  # gcc or clang
    runtime: str  # as --runtime spells it
    title: str  # the runtime's name for people
    setting: str = DEFAULT

    @property
    def key(self) -> str:
        """Unique among the columns; how JSON names it."""
        words = [self.compiler, self.runtime]
        return " ".join(words if self.setting == DEFAULT else [*words, self.setting])

    @property
    def is_ours(self) -> bool:
        return self.runtime == "heddle"

    @property
    def label(self) -> str:
        """For headings and legends."""
        setting = "" if self.setting == DEFAULT else f", {self.setting}"
        return f"{self.title} ({self.compiler}{setting})"


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
