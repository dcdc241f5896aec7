"""Orders of tasks as libheddle logs and replays them; runtime/sched/chosen_order.hpp says what the lines are.

Words: an *item* is the start of a task ("1:0.4"; "1:0.4+1" its next part) or that a task goes on behind one of its
points ("1:0~7"). An order is a list of items.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from heddle.code_places import Code

_HEAD = "heddle order 1"
_CODE = re.compile(r"(\S+) ((?:0x)?[0-9a-f]+) (\S+) (.*)", re.ASCII)
_MEMBER = re.compile(r"(\d+):\d+")


@dataclass
class Log:
    """What one run did."""

    items: list[str] = field(default_factory=list)
    codes: dict[str, Code] = field(default_factory=dict)  # by the task's name
    created_at: dict[str, str] = field(default_factory=dict)  # by the item of going on: the task just created
    events: list[tuple[str, str]] = field(default_factory=list)  # ("s" or "e", name), as they happened
    tasks: int = 0


def task_of(item: str) -> str:
    """The name of the task that the item is about."""
    return item.partition("~")[0].partition("+")[0]


def is_going_on(item: str) -> bool:
    """Whether the item is a task's going on, and not a start."""
    return "~" in item


def is_implicit(name: str) -> bool:
    """Whether the name is a region's own task."""
    return "." not in name.rpartition("/")[2]


def read(path: Path, *, merge_members: bool = False) -> Log | None:
    """The log, or None where there is none. merge_members: as if one thread had been in each region."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    if not lines or lines[0] != _HEAD:
        return None
    log = Log()
    numbered: dict[str, Code] = {}
    seen: set[str] = set()
    for line in lines[1:]:
        kind, _, rest = line.partition(" ")
        if kind == "c":
            code = _CODE.fullmatch(rest)
            if code is not None:  # None: unfinished, as below
                numbered[code[1]] = Code(int(code[2], 16), code[3], code[4])
            continue
        words = rest.split(" ")
        if kind not in ("s", "u", "g", "e") or len(words) < 2:
            continue  # a line that a killed program left unfinished
        item = _MEMBER.sub(r"\1:0", words[0]) if merge_members else words[0]
        name = task_of(item)
        if kind in ("s", "u"):
            log.codes.setdefault(name, numbered.get(words[1], Code(0, "-", "-")))
        if kind in ("s", "e"):
            log.events.append((kind, name))
        if kind == "g" and len(words) > 2:
            log.created_at[item] = words[2]
        if kind in ("s", "g") and item not in seen:
            seen.add(item)
            log.items.append(item)
            log.tasks += kind == "s" and "+" not in item
    return log


def write(path: Path, items: Iterable[str]) -> None:
    """Writes the order for a replay."""
    text = "\n".join(f"{'g' if is_going_on(item) else 's'} {item} 0 0" for item in items)
    path.write_text(f"{_HEAD}\n{text}\n", encoding="utf-8")


def same_items(reference: list[str], other: list[str]) -> tuple[list[str], list[str]]:
    """Both orders with the items of both: what one lacks comes last in it."""
    here, there = set(reference), set(other)
    return (
        reference + [item for item in other if item not in here],
        other + [item for item in reference if item not in there],
    )
