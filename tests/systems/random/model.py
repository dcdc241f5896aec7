"""What a random program consists of: statements of task bodies, and the slots in which their traces are kept.

Words: a *slot* is the place of one trace: of one execution of a task's body, of one iteration of a taskloop, or of a
*mark*, which is a moment in a body (behind a taskwait, for example). A body's slots are numbered in the order of its
statements, behind the slot of the body itself, so that a generated program computes the number of a child from its own.
A *place* is what a depend clause names, an index of the array `space`. A *cell* holds a place's data: each parent has
cells of its own, since dependences only order siblings.
"""

from __future__ import annotations

from dataclasses import dataclass, field

CELLS = 8  # places 0 to 7 of a root have data; those from WIDE on are named by iterators alone
WIDE = 16
PLACES = WIDE + 4096  # of each root


@dataclass(frozen=True)
class Depend:
    """One item of a depend clause: count places from first on, each `step` further; for task i of a row, those of
    (first + row_step * i) % CELLS. everything: omp_all_memory."""

    kind: str
    first: int = 0
    count: int = 1
    step: int = 1
    row_step: int = 0
    form: str = "plain"  # or iterator, object
    everything: bool = False

    def places(self, i: int) -> range:
        if self.row_step:
            return range((self.first + self.row_step * i) % CELLS, (self.first + self.row_step * i) % CELLS + 1)
        return range(self.first, self.first + self.count * self.step, self.step)

    def has_cell(self) -> bool:
        return not self.everything and self.count == 1 and self.first < CELLS


@dataclass
class Spawn:
    """A task construct, or a row of count of them in a loop."""

    body: list[Statement] = field(default_factory=list)
    depends: list[Depend] = field(default_factory=list)
    count: int = 1
    untied: bool = False
    final: bool = False
    undeferred: str = ""  # when if() is false: "", always, or odd: for every other task of a row
    mergeable: bool = False
    priority: int = 0
    detach: str = ""  # who fulfils the event: "", outsider, self; alpi: an outsider decreases its events of ALPI
    capture: int = 0  # which type of firstprivate data
    participates: tuple[str, ...] = ()  # names of reductions
    forgets: bool = False  # planted: the depend clauses are left out of the program, not of what is demanded
    transparent: str = ""  # weak: its dependences are; all: whatever its children name, as the clause of OpenMP 6.0

    def is_undeferred(self, i: int) -> bool:
        return self.undeferred == "always" or (self.undeferred == "odd" and i % 2 == 1)


@dataclass
class Taskloop:
    """A taskloop; each iteration has a slot."""

    iterations: int
    body: list[Statement] = field(default_factory=list)
    division: str = ""  # a clause: grainsize(n) or num_tasks(n)
    collapses: bool = False  # if there is an even number: two loops, the inner one of two iterations
    nogroup: bool = False
    untied: bool = False
    undeferred: bool = False
    capture: int = 0  # -1: nothing but the slot
    reduction: Reduction | None = None
    participates: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reduction:
    name: str
    operator: str  # +, ^ or max


@dataclass
class Taskwait:
    forgets: bool = False


@dataclass
class TaskwaitDepend:
    depends: list[Depend]


@dataclass
class Taskgroup:
    body: list[Statement]
    reductions: list[Reduction] = field(default_factory=list)
    is_cancelled: bool = False  # a task in it may cancel it
    forgets: bool = False


@dataclass
class Moment:
    """A statement without tasks: yield, sleep, suspend (until an outsider fulfils an event), block (until an outsider
    unblocks the task, by ALPI), linger."""

    what: str


@dataclass
class Cancel:
    """cancel taskgroup, the last statement of its body."""


@dataclass
class CancellationPoint:
    pass


@dataclass
class Region:
    """A taskgraph region in a root."""

    body: list[Statement]
    clauses: str = ""
    executions: int = 1  # in each round; more than 1 with nogroup alone


Statement = Spawn | Taskloop | Taskwait | TaskwaitDepend | Taskgroup | Moment | Cancel | CancellationPoint | Region


@dataclass
class Program:
    """form: how rounds and parallel regions nest (emit.py). reduces: the region, or its loop over the roots, has
    reduction(task, + : total), in which tasks of all roots take part."""

    name: str
    compiler: str  # one of generate.COMPILERS
    profile: str
    form: str
    roots: list[list[Statement]]
    linger_percent: int
    reduces: bool = False

    def is_cpp(self) -> bool:
        return "++" in self.compiler

    def is_clang(self) -> bool:
        return "clang" in self.compiler


def stride(spawn: Spawn, in_final: bool) -> int:
    """Slots of one task of a row: its body's, and a mark behind it if it may be undeferred."""
    return body_slots(spawn.body, in_final or spawn.final) + has_mark_behind(spawn, in_final)


def has_mark_behind(spawn: Spawn, in_final: bool) -> bool:
    return in_final or spawn.undeferred != ""


def slots(statement: Statement, in_final: bool) -> int:
    """How many slots a statement takes."""
    match statement:
        case Spawn():
            return statement.count * stride(statement, in_final)
        case Taskloop():
            return statement.iterations * body_slots(statement.body, in_final) + 1
        case Taskgroup() | Region():
            return sum(slots(inner, in_final) for inner in statement.body) + 1
        case Taskwait() | TaskwaitDepend() | Cancel():
            return 1
    return 0


def body_slots(body: list[Statement], in_final: bool) -> int:
    """The slot of a body and those of its statements."""
    return 1 + sum(slots(statement, in_final) for statement in body)


def walk(body: list[Statement]):
    """Every statement, those within others too."""
    for statement in body:
        yield statement
        if isinstance(statement, Spawn | Taskloop | Taskgroup | Region):
            yield from walk(statement.body)
