"""What a paper says, and what came of measuring it here."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Finding:
    """One figure, table or claim of a paper beside ours.

    rows: as many words each as there are headers. verdict: what the rows say of the claim. command: what makes them
    again. is_simulated: they come from the simulator, not from this machine's clock.
    """

    title: str
    theirs: str
    headers: tuple[str, ...]
    rows: list[tuple[str, ...]]
    verdict: str
    command: str
    is_simulated: bool = False


@dataclass(frozen=True)
class How:
    """The conditions of a measurement. records: the folder in which every figure is kept."""

    quick: bool
    records: Path
    say: Callable[[str], None]  # tells what is being measured

    @property
    def rounds(self) -> int:
        return 1 if self.quick else 5


@dataclass(frozen=True)
class Paper:
    """name: as the command has it. document: its page, from the checkout's root."""

    name: str
    title: str
    source: str
    document: str
    measure: Callable[[How], list[Finding]]


def spread(ours: Sequence[float], theirs: Sequence[float]) -> str:
    """Ratios of pairs taken in turn: the median, least and most. Requires: as many of both, and more than none."""
    found = [mine / other for mine, other in zip(ours, theirs, strict=True)]
    return f"{statistics.median(found):.2f} [{min(found):.2f} … {max(found):.2f}]"


def middle(ours: Sequence[float], theirs: Sequence[float]) -> float:
    """The median of the same."""
    return statistics.median(mine / other for mine, other in zip(ours, theirs, strict=True))


def times(ns: float) -> str:
    """A time with its unit. Units: ns."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if ns >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.3g} ns"
