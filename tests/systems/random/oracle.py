"""What the OpenMP specification demands of a program's traces; nothing of the runtime's is used here.

Source: OpenMP 5.1, sections 2.12.1 task, 2.12.5 task scheduling, 2.19.5 taskwait, 2.19.6 taskgroup, 2.20 cancellation;
which depend clauses order siblings is heddle.dependences' part. The program is executed in thought, in serial order;
each statement adds what it demands:

- *before*: (a, b, why): a is complete when b begins. A task is complete when its body has ended and its event, if it
  has one, is fulfilled; its children are not counted.
- *apart*: (a, b): the bodies of a and b do not overlap (mutexinoutset).
- *inside*: (a, b): b begins after a began, as a creates b.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from heddle import dependences
from heddle.dependences import IN, INOUT
from model import (
    CELLS,
    PLACES,
    Cancel,
    Depend,
    Moment,
    Program,
    Reduction,
    Region,
    Spawn,
    Statement,
    Taskgroup,
    Taskloop,
    Taskwait,
    TaskwaitDepend,
    body_slots,
    has_mark_behind,
    stride,
)

# Bits of a slot's kind, as support.h has them.
TASK, MARK, OPTIONAL, IN_FINAL, INCLUDED, NEVER, UNREPLAYED, NO_TRACE, ONCE = 1, 2, 4, 8, 16, 32, 64, 128, 256

DEPEND, TASKWAIT, TASKGROUP, UNDEFERRED, TASKWAIT_DEPEND, SEQUENCE = range(6)
TOTAL = Reduction("total", "+")  # of the parallel region; its sum stands at slot 0


@dataclass
class Demands:
    """Everything that a round's traces are checked against. accesses: (slot, cell, kind) in serial order. sums: by the
    mark behind a construct, what its reductions give."""

    kinds: list[int]
    inside: list[tuple[int, int]] = field(default_factory=list)
    before: dict[tuple[int, int], int] = field(default_factory=dict)
    apart: set[tuple[int, int]] = field(default_factory=set)
    accesses: list[tuple[int, int, str]] = field(default_factory=list)
    sums: dict[int, list[int]] = field(default_factory=dict)


Item = tuple[str, range | None]  # of a depend clause: its kind and places; None: every place


@dataclass
class _Sibling:
    """handed_on: what siblings that come later may have to wait for beside the task itself."""

    slot: int
    depends: list[Item]
    is_weak: bool = False  # these are: it takes no part itself in what they exclude
    handed_on: list[_HandedOn] = field(default_factory=list)


@dataclass(frozen=True)
class _HandedOn:
    """What a task does at some places, as another one sees it through transparent tasks that are around one of them.

    types: of its access there, and of those of the tasks that are passed: all of them have to be ordered with another.
    """

    slot: int
    types: tuple[str, ...]
    places: range | frozenset[int] | None  # None: every one

    def precedes(self, item: Item) -> bool:
        return _meet(self.places, item[1]) and all(dependences.are_ordered(t, item[0]) for t in self.types)

    def behind(self, item: Item) -> _HandedOn | None:
        """The same with one more task to pass, whose clause has that item; None: that does not name these places."""
        if not _meet(self.places, item[1]):
            return None
        if self.places is None or item[1] is None:
            places = item[1] if self.places is None else self.places
        else:
            places = frozenset(self.places).intersection(item[1])
        return _HandedOn(self.slot, (*self.types, item[0]), places)


@dataclass
class _Task:
    """The task whose body is executed in thought."""

    slot: int
    base: int  # of the places of its root
    in_final: bool = False
    in_region: bool = False  # directly in a taskgraph region
    overlaps: bool = False
    optional: bool = False
    has_domain: bool = True  # not in a taskloop, whose chunks are unknown
    siblings: list[_Sibling] = field(default_factory=list)
    imported: list[_HandedOn] = field(default_factory=list)  # by a transparent task
    children: list[int] = field(default_factory=list)
    complete: list[int] = field(default_factory=list)  # those known to be complete for whatever comes next
    last_mark: int | None = None
    unchecked: bool = False  # some of its children may be cancelled: no values are known


def demands(program: Program) -> Demands:
    """Errors: none; the program is one that generate.py makes."""
    total = sum(body_slots(root, False) for root in program.roots)
    result = Demands([0] * total)
    first = 0
    reductions: dict[str, list[int]] = {TOTAL.name: []}
    for number, root in enumerate(program.roots):
        result.kinds[first] = TASK | ONCE
        task = _Task(first, number * PLACES, unchecked=_may_be_cancelled(root))
        end = _Walk(result).body(root, task, first + 1, [], reductions)
        first += body_slots(root, False)
        assert end == first
    if program.reduces:
        result.sums[0] = [expected(TOTAL, reductions[TOTAL.name])]
    if any(isinstance(s, Region) and s.executions > 1 for root in program.roots for s in root):
        # Executions overlap, so that a slot has many traces: numbers of executions and values are all that is checked.
        result.before.clear()
        result.apart.clear()
        result.inside.clear()
        result.kinds = [kind | NO_TRACE for kind in result.kinds]
    return result


def _may_be_cancelled(body: list[Statement]) -> bool:
    """Whether children of a task with this body may be cancelled."""
    return any(
        (isinstance(s, Taskgroup) and (s.is_cancelled or _may_be_cancelled(s.body)))
        or (isinstance(s, Region) and _may_be_cancelled(s.body))
        for s in body
    )


class _Walk:
    """groups: the descendants so far of each open taskgroup. reductions: the participants so far of those in scope,
    by name."""

    def __init__(self, demands: Demands):
        self.demands = demands

    def body(self, body: list[Statement], task: _Task, slot: int, groups: list[list[int]], reductions) -> int:
        """Executes statements whose first slot is given; returns the slot behind them."""
        for statement in body:
            match statement:
                case Spawn():
                    slot = self._spawn(statement, task, slot, groups, reductions)
                case Taskloop():
                    slot = self._taskloop(statement, task, slot, groups, reductions)
                case Taskwait():
                    slot = self._mark(task, slot, task.children, TASKWAIT)
                case TaskwaitDepend():
                    preceding = self._predecessors(task, self._resolved(statement.depends, task, 0))
                    for depend in statement.depends:
                        if depend.has_cell() and depend.kind == IN and not task.unchecked:
                            self.demands.accesses.append((slot, task.slot * CELLS + depend.first, IN))
                    slot = self._mark(task, slot, preceding, TASKWAIT_DEPEND)
                case Taskgroup():
                    slot = self._taskgroup(statement, task, slot, groups, reductions)
                case Region():
                    slot = self._region(statement, task, slot, groups, reductions)
                case Cancel():
                    self.demands.kinds[slot] = MARK | NEVER
                    slot += 1
                case Moment():
                    pass
        return slot

    def _mark(self, task: _Task, slot: int, complete: list[int], why: int) -> int:
        self.demands.kinds[slot] = MARK | (OPTIONAL if task.optional else 0) | (UNREPLAYED if task.in_region else 0)
        for other in complete:
            self.demands.before.setdefault((other, slot), why)
        self._sequence(task, slot)
        task.last_mark = slot
        task.complete = sorted({*task.complete, *complete}) if task.in_region else []
        return slot + 1

    def _sequence(self, task: _Task, slot: int) -> None:
        """What comes behind the last mark begins after it. A replay has no marks: there each one is named."""
        self.demands.inside.append((task.slot, slot))
        if task.last_mark is not None:
            self.demands.inside.append((task.last_mark, slot))
        for other in task.complete:
            self.demands.before.setdefault((other, slot), SEQUENCE)

    def _resolved(self, depends: list[Depend], task: _Task, i: int) -> list[tuple[str, range | None]]:
        return [(d.kind, None if d.everything else d.places(i)) for d in depends]

    def _predecessors(self, task: _Task, mine: list[tuple[str, range | None]]) -> list[int]:
        if not task.has_domain:
            return []
        earlier = [*task.imported, *self._of_children(task)]
        return [h.slot for h in earlier if any(h.precedes(b) for b in mine)]

    def _spawn(self, spawn: Spawn, task: _Task, slot: int, groups: list[list[int]], reductions) -> int:
        for i in range(spawn.count):
            self._one_task(spawn, i, task, slot, groups, reductions)
            slot += stride(spawn, task.in_final)
            if has_mark_behind(spawn, task.in_final):
                complete = [slot - stride(spawn, task.in_final)]
                is_undeferred = task.in_final or spawn.is_undeferred(i)
                self._mark(task, slot - 1, complete if is_undeferred else [], UNDEFERRED)
        return slot

    def _one_task(self, spawn: Spawn, i: int, task: _Task, slot: int, groups: list[list[int]], reductions) -> None:
        depends = self._resolved(spawn.depends, task, i)
        is_weak = spawn.transparent == "weak"
        if not is_weak:
            for other in self._predecessors(task, depends):
                self.demands.before.setdefault((other, slot), DEPEND)
        if task.has_domain and not is_weak:
            for sibling in task.siblings:
                if (
                    not sibling.is_weak
                    and (sibling.slot, slot) not in self.demands.before
                    and _exclude(sibling.depends, depends)
                ):
                    self.demands.apart.add((sibling.slot, slot))
        self._sequence(task, slot)
        names = [(INOUT, None)] if spawn.transparent == "all" else depends if spawn.transparent else []
        imported = self._imported(task, names) if spawn.transparent else []
        sibling = _Sibling(slot, names or depends, is_weak)
        task.siblings.append(sibling)
        task.children.append(slot)
        for group in groups:
            group.append(slot)
        for name in spawn.participates:
            reductions[name].append(slot)
        in_final = task.in_final or spawn.final
        self.demands.kinds[slot] = (
            TASK
            | (OPTIONAL if task.optional else 0)
            | (IN_FINAL if in_final else 0)
            | (INCLUDED if task.in_final else 0)
        )
        if not task.unchecked and task.has_domain and not is_weak:
            self._access(spawn, i, task, slot)
        child = _Task(
            slot,
            task.base,
            in_final=in_final,
            optional=task.optional,
            unchecked=task.optional or _may_be_cancelled(spawn.body),
            imported=imported,
        )
        self.body(spawn.body, child, slot + 1, groups, reductions)
        sibling.handed_on = self._handed_on(child, names)

    def _imported(self, task: _Task, names: list[Item]) -> list[_HandedOn]:
        """What children of a transparent task that is about to be created may have to wait for."""
        earlier = [*task.imported, *self._of_children(task)]
        return [passed for h in earlier for item in names if h.precedes(item) and (passed := h.behind(item))]

    def _handed_on(self, task: _Task, names: list[Item]) -> list[_HandedOn]:
        """What a transparent task's children do, as its siblings see it."""
        return [passed for h in self._of_children(task) for item in names if (passed := h.behind(item))]

    @staticmethod
    def _of_children(task: _Task) -> list[_HandedOn]:
        """What a task's children so far do, and hand on."""
        own = [_HandedOn(s.slot, (item[0],), item[1]) for s in task.siblings for item in s.depends]
        return [*own, *(other for s in task.siblings for other in s.handed_on)]

    def _access(self, spawn: Spawn, i: int, task: _Task, slot: int) -> None:
        """One access a cell, by the first item that names it: no other item makes a weaker order."""
        seen = set()
        for depend in spawn.depends:
            if depend.everything:
                cells = [c for c in range(CELLS) if c not in seen] if depend.kind != IN else []
            else:
                cells = [c for c in depend.places(i) if depend.has_cell() and c not in seen]
            for cell in cells:
                seen.add(cell)
                self.demands.accesses.append((slot, task.slot * CELLS + cell, depend.kind))

    def _taskloop(self, loop: Taskloop, task: _Task, slot: int, groups: list[list[int]], reductions) -> int:
        mine: list[int] = []
        inner = groups if loop.nogroup else [*groups, mine]
        if loop.reduction:
            reductions = {**reductions, loop.reduction.name: []}
        iterations = []
        for _ in range(loop.iterations):
            self._sequence(task, slot)
            iterations.append(slot)
            task.children.append(slot)
            for group in inner:
                group.append(slot)
            self.demands.kinds[slot] = (
                TASK | (OPTIONAL if task.optional else 0) | ((IN_FINAL | INCLUDED) if task.in_final else 0)
            )
            participants = [*loop.participates, *([loop.reduction.name] if loop.reduction else [])]
            for name in participants:
                reductions[name].append(slot)
            chunk = _Task(slot, task.base, in_final=task.in_final, optional=task.optional, has_domain=False)
            self.body(loop.body, chunk, slot + 1, inner, reductions)
            slot += body_slots(loop.body, task.in_final)
        if loop.reduction:
            self.demands.sums[slot] = [expected(loop.reduction, reductions[loop.reduction.name])]
        is_complete = not loop.nogroup or loop.undeferred or task.in_final
        return self._mark(task, slot, (iterations if loop.nogroup else mine) if is_complete else [], TASKGROUP)

    def _taskgroup(self, group: Taskgroup, task: _Task, slot: int, groups: list[list[int]], reductions) -> int:
        mine: list[int] = []
        inner = {**reductions, **{r.name: [] for r in group.reductions}}
        before = task.optional
        task.optional = before or group.is_cancelled
        slot = self.body(group.body, task, slot, [*groups, mine], inner)
        task.optional = before
        self.demands.sums[slot] = [expected(r, inner[r.name]) for r in group.reductions]
        return self._mark(task, slot, mine, TASKGROUP)

    def _region(self, region: Region, task: _Task, slot: int, groups: list[list[int]], reductions) -> int:
        mine: list[int] = []
        task.in_region = True
        slot = self.body(region.body, task, slot, [*groups, mine], reductions)
        task.in_region = False
        is_grouped = "nogroup" not in region.clauses
        slot = self._mark(task, slot, mine if is_grouped else [], TASKGROUP)
        self.demands.kinds[slot - 1] |= UNREPLAYED  # on other runtimes the region's end waits for children alone
        return slot


def expected(reduction: Reduction, participants: list[int]) -> int:
    """What a reduction gives whose variable was 0 before. weight() is support.h's."""
    result = 0
    for slot in participants:
        if reduction.operator == "+":
            result += weight(slot)
        elif reduction.operator == "^":
            result ^= weight(slot)
        else:
            result = max(result, weight(slot))
    return result


def weight(slot: int) -> int:
    return (slot * 2654435761 >> 7) & 0xFFFF


def _exclude(a: list[tuple[str, range | None]], b: list[tuple[str, range | None]]) -> bool:
    return any(dependences.exclude(x[0], y[0]) and _meet(x[1], y[1]) for x in a for y in b)


def _meet(a: range | frozenset[int] | None, b: range | frozenset[int] | None) -> bool:
    if a is None or b is None:
        return True
    if isinstance(a, range) and len(a) == 1:
        return a[0] in b
    if isinstance(b, range) and len(b) == 1:
        return b[0] in a
    return not set(a).isdisjoint(b)
