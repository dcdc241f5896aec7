"""Makes a program from a seed. A *profile* is what a program is mostly made of; a *feature* can be left out by name."""

from __future__ import annotations

import random
from dataclasses import dataclass

from heddle import clang
from heddle.dependences import IN, INOUT, INOUTSET, MUTEXINOUTSET, OUT
from model import (
    CELLS,
    WIDE,
    Cancel,
    CancellationPoint,
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
)
from oracle import TOTAL

COMPILERS = ("gcc", clang.c(), "g++", clang.cpp())

FEATURES = {
    "all_memory": "depend(inout: omp_all_memory); GCC 12 does not know it",
    "untied": "untied tasks",
    "final": "final tasks",
    "undeferred": "if(0)",
    "mergeable": "mergeable tasks",
    "priority": "priorities",
    "detach": "detached tasks, their events fulfilled by a plain thread or by the task itself",
    "objects": "depend objects",
    "iterators": "iterators in depend clauses",
    "mutexinoutset": "that kind of dependence",
    "inoutset": "that kind of dependence; GCC 12 knows it by no name, but libheddle knows its number",
    "reductions": "task reductions",
    "taskloops": "taskloop constructs",
    "nogroup": "taskloops that do not wait",
    "loop_objects": "firstprivate objects of taskloops in C++",
    "yields": "taskyield",
    "suspension": "tasks that sleep or wait for an event; on libheddle alone",
    "alpi": "tasks with events of ALPI, or that block by it; on libheddle alone",
    "transparent": "tasks whose children are ordered with their siblings; on libheddle alone",
    "cpp": "C++, whose tasks capture objects",
}


@dataclass(frozen=True)
class Profile:
    """Chances in percent, sizes as ranges. statements: weights of what a body consists of."""

    about: str
    statements: dict[str, int]
    length: tuple[int, int] = (4, 10)
    depth: int = 2
    row: tuple[int, int] = (2, 6)
    row_chance: int = 20
    depends: tuple[int, int] = (0, 3)
    attribute: int = 12  # each of a task's clauses
    untied: int = 15
    detach: int = 6
    everything: int = 4
    transparent: int = 8
    iterator: int = 8
    objects: int = 8
    wide: int = 0  # of iterators: over thousands of places
    linger: tuple[int, int] = (0, 30)
    most_slots: int = 260
    forms: tuple[str, ...] = ("regions", "nowait", "primary", "roots", "inside", "singles", "nested", "serial")


_DIVISIONS = (
    "grainsize(1)",
    "grainsize(3)",
    "grainsize(strict: 2)",
    "num_tasks(2)",
    "num_tasks(50)",
    "num_tasks(strict: 3)",
)
_PLAIN = {"task": 60, "wait": 6, "wait_depend": 6, "group": 5, "loop": 5, "linger": 3}

PROFILES = {
    "mixed": Profile("a little of everything", {**_PLAIN, "yield": 4, "sleep": 2, "suspend": 2}, depth=3),
    "dependences": Profile(
        "many siblings with dependences", {"task": 80, "wait_depend": 5, "wait": 2}, (12, 40), 1, depends=(1, 4)
    ),
    "rows": Profile("wide rows of tasks", {"task": 50, "wait": 8, "wait_depend": 8}, (3, 8), 1, (10, 60), 80),
    "chain": Profile(
        "long chains", {"task": 80, "wait_depend": 2}, (3, 6), 1, (20, 60), 80, depends=(1, 1), linger=(0, 4)
    ),
    "tree": Profile("deep trees of tasks", {"task": 70, "wait": 25, "group": 10}, (1, 4), 6, (2, 3), 40, (0, 1)),
    "nested": Profile(
        "transparent tasks, many of them with weak dependences",
        {"task": 80, "wait_depend": 3, "wait": 3, "yield": 2},
        (4, 12),
        4,
        depends=(1, 3),
        everything=2,
        transparent=70,
        linger=(0, 10),
    ),
    "groups": Profile(
        "taskgroups, reductions and taskloops", {"task": 40, "group": 25, "loop": 25, "wait": 5}, (3, 8), 3
    ),
    "publish": Profile(
        "tasks with thousands of dependences behind some with few, many rounds",
        {"task": 90, "wait": 5},
        (2, 5),
        1,
        row_chance=0,
        depends=(1, 1),
        untied=40,
        detach=2,
        everything=35,
        iterator=60,
        objects=5,
        wide=90,
        linger=(0, 2),
        forms=("inside", "singles"),
    ),
    "suspension": Profile(
        "tasks that wait",
        {**_PLAIN, "yield": 25, "sleep": 15, "suspend": 15, "block": 10},
        (3, 7),
        3,
        untied=40,
        detach=15,
        linger=(0, 20),
    ),
    "cancellation": Profile(
        "cancelled taskgroups",
        {"task": 50, "cancelled": 25, "wait": 5, "group": 5, "loop": 5},
        (2, 6),
        3,
        (2, 20),
        40,
    ),
    "graph": Profile(
        "a taskgraph region that is replayed",
        {**_PLAIN, "sleep": 1, "yield": 1},
        (4, 14),
        2,
        untied=0,
        detach=4,
        everything=3,
        forms=("inside", "inside", "inside", "singles", "primary", "serial"),
    ),
    "overlap": Profile(
        "executions of a taskgraph region that overlap",
        {"task": 100},
        (4, 20),
        1,
        row_chance=30,
        depends=(0, 3),
        untied=0,
        detach=0,
        forms=("inside", "inside", "singles", "primary"),
    ),
}


def generate(seed: str, without: frozenset[str] = frozenset(), profile: str = "", compiler: str = "") -> Program:
    """The same program each time for the same arguments."""
    chance = random.Random(seed)
    drawn = chance.choice(list(PROFILES))
    compilers = [c for c in COMPILERS if "cpp" not in without or "++" not in c]
    drawn_compiler = chance.choice(compilers)
    return _Generator(chance, without, profile or drawn, compiler or drawn_compiler).program(seed)


class _Generator:
    """in_cancelled: within a taskgroup that is cancelled, where no event may stay unfulfilled. in_untied: in an untied
    task of Clang's, which cuts such bodies at each task construct: version 19 loses depend objects there, objects
    of C++ and the stack of iterators, and makes invalid code of taskgroups with tasks in them. All of it fails on
    libomp as well."""

    def __init__(self, chance: random.Random, without: frozenset[str], profile: str, compiler: str):
        self.chance = chance
        self.without = without
        self.name = profile
        self.profile = PROFILES[profile]
        self.compiler = compiler
        self.is_clang = "clang" in compiler
        self.left = 0
        self.reductions = 0
        self.in_cancelled = False
        self.in_region = False
        self.in_untied = False

    def percent(self, percent: int, feature: str = "") -> bool:
        is_chosen = self.chance.randrange(100) < percent
        return is_chosen and feature not in self.without

    def program(self, name: str) -> Program:
        form = self.chance.choice(self.profile.forms)
        count = {"roots": self.chance.randint(2, 6), "nested": 2}.get(form, 1)
        reduces = form in ("regions", "nowait", "primary", "roots") and self.percent(30, "reductions")
        reduces = reduces and self.name not in ("graph", "overlap")
        scope = (TOTAL.name,) if reduces else ()
        self.left = self.profile.most_slots
        if self.percent(30):  # short rounds repeat more often
            self.left //= 8
        each = self.left // count
        roots = []
        for _ in range(count):
            self.left = each
            roots.append(self._region() if self.name in ("graph", "overlap") else self._body(0, scope, False))
        linger = self.chance.choice([0, self.chance.randint(*self.profile.linger)])
        return Program(name, self.compiler, self.name, form, roots, linger, reduces)

    def _region(self) -> list[Statement]:
        """A root with one region; overlapping executions are those of a region with nogroup."""
        overlaps = self.name == "overlap"
        clauses = ["nogroup"] if overlaps else []
        if self.percent(10):
            clauses.append("graph_id(3)")
        if self.percent(10):
            clauses.append("graph_reset(current_round % 8 == 0)")
        if self.percent(5):
            clauses.append("if(current_round % 5 != 0)")
        self.in_region = True
        body = self._body(0, (), False)
        self.in_region = False
        return [Region(body, " ".join(clauses), self.chance.randint(2, 8) if overlaps else 1)]

    def _body(self, depth: int, scope: tuple[str, ...], in_final: bool, has_domain: bool = True) -> list[Statement]:
        low, high = self.profile.length
        count = self.chance.randint(low, high) if depth == 0 else self.chance.randint(1, max(2, high // (depth + 1)))
        kinds = list(self.profile.statements)
        weights = list(self.profile.statements.values())
        body: list[Statement] = []
        while self.left > 0 and count > 0:
            count -= 1
            kind = self.chance.choices(kinds, weights)[0]
            statement = self._statement(kind, depth, scope, in_final, has_domain)
            if statement is not None:
                body.append(statement)
        return body

    def _statement(
        self, kind: str, depth: int, scope: tuple[str, ...], in_final: bool, has_domain: bool
    ) -> Statement | None:
        self.left -= 1
        in_region, self.in_region = self.in_region, False
        try:
            if kind == "task":
                self.in_region = in_region
                return self._task(depth, scope, in_final, has_domain)
            if kind == "wait":
                return Taskwait()
            if kind == "wait_depend" and has_domain:
                return TaskwaitDepend([Depend(self.chance.choice([IN, IN, INOUT, OUT]), self.chance.randrange(3))])
            if kind == "loop" and "taskloops" not in self.without:
                return self._taskloop(depth, scope, in_final, in_region)
            if kind in ("group", "cancelled") and depth < self.profile.depth and not self.in_untied:
                self.in_region = in_region
                return self._taskgroup(depth, scope, in_final, has_domain, kind == "cancelled")
            if kind in ("sleep", "suspend", "block") and (in_region or "suspension" in self.without):
                return None
            if kind == "block" and "alpi" in self.without:
                return None
            if kind == "yield" and ("yields" in self.without or in_region):
                return None
            return Moment(kind) if kind in ("yield", "sleep", "suspend", "block", "linger") else None
        finally:
            self.in_region = in_region

    def _task(self, depth: int, scope: tuple[str, ...], in_final: bool, has_domain: bool) -> Spawn:
        p = self.profile
        spawn = Spawn(count=self.chance.randint(*p.row) if self.percent(p.row_chance) else 1)
        spawn.final = self.percent(p.attribute // 2, "final")
        if self.percent(p.attribute, "undeferred"):
            spawn.undeferred = "odd" if spawn.count > 1 and self.percent(60) else "always"
        spawn.untied = self.percent(p.untied, "untied")
        spawn.mergeable = self.percent(p.attribute, "mergeable")
        spawn.priority = self.chance.choice([1, 5, 1000]) if self.percent(p.attribute, "priority") else 0
        spawn.capture = self._capture()
        is_plain = not (spawn.final or in_final or spawn.mergeable or self.in_cancelled)
        if self.percent(p.detach, "detach") and is_plain and not (self.in_region and spawn.undeferred):
            spawn.detach = self.chance.choice(["outsider", "outsider", "self"])
        elif self.percent(p.detach // 2, "alpi") and is_plain and not self.in_region:
            spawn.detach = "alpi"
        if not spawn.untied:  # its thread's part of a sum may be another's after a suspension
            spawn.participates = tuple(name for name in scope if self.percent(50))
        if has_domain:
            spawn.depends = [self._depend(spawn.count) for _ in range(self.chance.randint(*p.depends))]
        is_known = has_domain and not (self.in_region or self.in_cancelled or self.name == "overlap")
        if is_known and self.percent(p.transparent, "transparent"):
            spawn.transparent = self.chance.choice(["weak", "weak", "all"])
        in_region, self.in_region = self.in_region, False
        in_untied, self.in_untied = self.in_untied, spawn.untied and self.is_clang
        budget, self.left = self.left, self.left // max(1, spawn.count)
        if depth + 1 < p.depth and self.name != "overlap" and self.percent(55):
            spawn.body = self._body(depth + 1, scope, in_final or spawn.final)
        elif self.percent(25):
            moments = [m for m in ("yield", "sleep", "suspend") if m in p.statements and m + "s" not in self.without]
            if moments and "suspension" not in self.without and not self._has_event(spawn):
                spawn.body = [Moment(self.chance.choice(moments))]
        self.left = budget - spawn.count * body_slots(spawn.body, in_final or spawn.final)
        self.in_region, self.in_untied = in_region, in_untied
        if self.in_cancelled and self.percent(25):
            spawn.body.append(Cancel() if self.percent(50) else CancellationPoint())
        return spawn

    def _has_event(self, spawn: Spawn) -> bool:
        return spawn.detach != "" and self.in_region

    def _capture(self) -> int:
        if self.in_untied:
            return 1
        if self.in_cancelled and self.percent(40):
            return 0  # objects of tasks that are never executed
        return self.chance.choice([0, 1, 1, 1, 2, 3, 4]) if self.percent(60) else 1

    def _depend(self, row: int) -> Depend:
        p = self.profile
        if self.percent(p.everything, "all_memory") and self.is_clang:
            return Depend(self.chance.choice([INOUT, OUT]), everything=True)
        kinds = [IN, IN, OUT, INOUT, INOUT]
        kinds += [kind for kind in (MUTEXINOUTSET, INOUTSET) if kind not in self.without]
        kind = self.chance.choice(kinds)
        if self.percent(p.iterator, "iterators") and not self.in_untied:
            kind = INOUT if kind == INOUTSET and not self.is_clang else kind
            if self.percent(p.wide):
                first, step = WIDE + self.chance.randrange(8), self.chance.choice([1, 1, 1, 2])
                return Depend(kind, first, self.chance.choice([100, 1000, 2000]), step, form="iterator")
            first = self.chance.randrange(CELLS - 1)
            count, step = self.chance.randint(1, 3), self.chance.randint(1, 2)
            return Depend(kind, first, min(count, (CELLS - 1 - first) // step + 1), step, form="iterator")
        row_step = self.chance.randrange(4) if row > 1 else 0
        form = "object" if self.percent(p.objects, "objects") and not self.in_untied else "plain"
        if kind == INOUTSET and not self.is_clang:
            form = "object"
            if "objects" in self.without:
                kind, form = INOUT, "plain"
        most = CELLS if self.percent(50) else 3
        return Depend(kind, self.chance.randrange(most), row_step=row_step, form=form)

    def _taskloop(self, depth: int, scope: tuple[str, ...], in_final: bool, in_region: bool) -> Taskloop:
        loop = Taskloop(self.chance.randint(1, 12))
        loop.division = self.chance.choice(["", *_DIVISIONS])
        loop.collapses = loop.iterations % 2 == 0 and self.percent(25)
        loop.nogroup = self.percent(25, "nogroup")
        loop.untied = self.percent(10, "untied")
        loop.undeferred = self.percent(8, "undeferred")
        loop.capture = self._capture()
        if "loop_objects" in self.without and "++" in self.compiler:
            loop.capture = -1
        if not loop.untied:
            loop.participates = tuple(name for name in scope if self.percent(50))
            if not loop.nogroup and not in_region and not self.in_cancelled and self.percent(40, "reductions"):
                loop.reduction = self._reduction()
        if depth + 1 < self.profile.depth and self.percent(30):
            budget, self.left = self.left, self.left // loop.iterations
            in_untied, self.in_untied = self.in_untied, loop.untied and self.is_clang
            names = (*scope, *([loop.reduction.name] if loop.reduction else []))
            loop.body = self._body(depth + 1, names, in_final, has_domain=False)
            self.left, self.in_untied = budget, in_untied
        self.left -= loop.iterations * body_slots(loop.body, in_final)
        return loop

    def _reduction(self) -> Reduction:
        self.reductions += 1
        return Reduction(f"sum{self.reductions}", self.chance.choice(["+", "+", "^", "max"]))

    def _taskgroup(
        self, depth: int, scope: tuple[str, ...], in_final: bool, has_domain: bool, is_cancelled: bool
    ) -> Taskgroup:
        reductions = []
        if self.percent(50, "reductions") and not is_cancelled and not self.in_cancelled:
            reductions = [self._reduction() for _ in range(self.chance.randint(1, 2))]
        before, self.in_cancelled = self.in_cancelled, self.in_cancelled or is_cancelled
        names = () if self.in_cancelled else (*scope, *(r.name for r in reductions))
        body = self._body(depth + 1, names, in_final, has_domain)
        self.in_cancelled = before
        return Taskgroup(body, reductions, is_cancelled)
