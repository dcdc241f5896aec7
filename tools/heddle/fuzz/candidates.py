"""Pairs of tasks that several threads executed at once, or the other way round than one thread does."""

from __future__ import annotations

from heddle.fuzz.orders import Log

# How far apart in the serial order two tasks may be, and how many pairs are named.
_REACH = 50
_MOST = 5


def pairs(reference: Log, log: Log) -> list[tuple[str, str]]:
    """The nearest neighbours of the serial order that were not kept in order, those that came first in time first."""
    serial = [name for kind, name in reference.events if kind == "s"]
    position = {name: i for i, name in enumerate(serial)}
    ended: set[str] = set()
    found: list[tuple[int, int, str, str]] = []
    for moment, (kind, name) in enumerate(log.events):
        if kind == "e":
            ended.add(name)
            continue
        at = position.get(name)
        if at is None:
            continue
        for before in range(at - 1, max(-1, at - 1 - _REACH), -1):
            other = serial[before]
            if other in ended or _is_ancestor(other, name):
                continue
            found.append((at - before, moment, other, name))
            break
    found.sort(key=lambda entry: entry[:2])
    return [(first, second) for _, _, first, second in found[:_MOST]]


def _is_ancestor(name: str, of: str) -> bool:
    return of.startswith(name + ".")
