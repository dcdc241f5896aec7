"""Makes a failing program smaller as long as it fails."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator

from model import Program, Region, Spawn, Statement, Taskgroup, Taskloop, walk

# What a construct is without a clause.
_PLAIN = {
    Spawn: {
        "count": 1,
        "untied": False,
        "final": False,
        "undeferred": "",
        "mergeable": False,
        "priority": 0,
        "detach": "",
        "capture": 1,
        "participates": (),
    },
    Taskloop: {
        "iterations": 1,
        "division": "",
        "collapses": False,
        "nogroup": False,
        "untied": False,
        "undeferred": False,
        "capture": 1,
        "reduction": None,
        "participates": (),
    },
    Taskgroup: {"reductions": []},
    Region: {"clauses": ""},
}


def shrunk(program: Program, fails: Callable[[Program], bool], say: Callable[[str], None]) -> Program:
    """The smallest program that was found for which fails() still holds. fails(program) must."""
    is_smaller = True
    while is_smaller:
        is_smaller = False
        for candidate in _smaller(program):
            if fails(candidate):
                program = candidate
                is_smaller = True
                say(f"{sum(1 for root in program.roots for _ in walk(root))} statements fail")
                break
    return program


def _smaller(program: Program) -> Iterator[Program]:
    """Programs with one thing less, those with much less first."""
    for number in range(len(program.roots) if program.form != "nested" else 0):
        if len(program.roots) > 1:
            candidate = copy.deepcopy(program)
            del candidate.roots[number]
            yield candidate
    for form in ("inside", "regions"):
        if program.form not in ("inside", form) and not (program.reduces and form == "inside"):
            candidate = copy.deepcopy(program)
            candidate.form = form
            yield candidate
    if program.linger_percent:
        candidate = copy.deepcopy(program)
        candidate.linger_percent = 0
        yield candidate
    bodies = len(_bodies(program))
    for size in (4, 2, 1):
        for which in range(bodies):
            for first in range(0, len(_bodies(program)[which]), size):
                candidate = copy.deepcopy(program)
                body = _bodies(candidate)[which]
                if len(body) >= size and not any(isinstance(s, Region) for s in body):
                    del body[first : first + size]
                    yield candidate
    for which in range(bodies):
        yield from _simpler(program, which)


def _simpler(program: Program, which: int) -> Iterator[Program]:
    """Programs in which one construct of that body has one clause less, or is replaced by what is in it."""
    for place, statement in enumerate(_bodies(program)[which]):
        plain = next((values for kind, values in _PLAIN.items() if isinstance(statement, kind)), {})
        for name, value in plain.items():
            before = getattr(statement, name)
            values = [value]
            if name in ("count", "iterations") and before > 2:
                values += [before // 2, before - 1]
            for other in values:
                if before != other and name != "executions":
                    candidate = copy.deepcopy(program)
                    setattr(_bodies(candidate)[which][place], name, other)
                    yield candidate
        for number in range(len(getattr(statement, "depends", []))):
            if isinstance(statement, Spawn) or len(statement.depends) > 1:
                candidate = copy.deepcopy(program)
                del _bodies(candidate)[which][place].depends[number]
                yield candidate
        if isinstance(statement, Taskgroup):
            candidate = copy.deepcopy(program)
            body = _bodies(candidate)[which]
            body[place : place + 1] = body[place].body
            yield candidate


def _bodies(program: Program) -> list[list[Statement]]:
    """Every list of statements, in the same order each time."""
    result = list(program.roots)
    for root in program.roots:
        result += [s.body for s in walk(root) if isinstance(s, Spawn | Taskloop | Taskgroup | Region)]
    return result
