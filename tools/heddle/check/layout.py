"""Parts of what a task captures."""

from __future__ import annotations

from dataclasses import dataclass

from elftools.dwarf.die import DIE


@dataclass(frozen=True)
class Variable:
    name: str
    offset: int
    type: DIE | None
    is_shared: bool = False


@dataclass(frozen=True)
class Part:
    """Bytes first to end - 1. variables: one of them is there. text: what is there where that is no variable."""

    first: int
    end: int
    variables: tuple[Variable, ...] = ()
    text: str = ""
