"""Runs all combinations of a demo in turn, round by round: every second round backwards.

So a machine that slows down does so for all, and a ratio is taken between two runs of one round.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

MOST = 7


class Timed(Protocol):
    """A combination with the times of its runs, one a round."""

    seconds: list[float]


Case = TypeVar("Case")
AnyTimed = TypeVar("AnyTimed", bound=Timed)


def run(
    cases: Sequence[Case],
    one: Callable[[Case], None],
    *,
    rounds: int | None,
    budget_s: float,
    advance: Callable[[Case | None, int, int], None],
) -> int:
    """Runs as many rounds as asked for, or as fit into the budget (one at least, MOST at most); returns how many.

    advance(case, done, total) is called before each run, and at the end without a case.
    """
    started = time.monotonic()
    planned = rounds or 1
    done = number = 0
    while number < planned:
        round_started = time.monotonic()
        for case in cases if number % 2 == 0 else reversed(cases):
            advance(case, done, planned * len(cases))
            one(case)
            done += 1
        number += 1
        if rounds is None and number == 1:
            one_round = time.monotonic() - round_started
            left = budget_s - (time.monotonic() - started)
            planned = max(1, min(MOST, 1 + int(left / max(one_round, 1e-3))))
    advance(None, done, done)
    return number


def quickest(timings: Sequence[AnyTimed]) -> list[AnyTimed]:
    """The shortest median, and all whose runs overlap with its runs. None where each ran once."""
    timed = [timing for timing in timings if timing.seconds]
    best = min(timed, key=lambda timing: statistics.median(timing.seconds))
    if len(best.seconds) < 2:
        return []
    return [timing for timing in timed if min(timing.seconds) <= max(best.seconds)]


def how(timings: Sequence[Timed], rounds: int) -> str:
    """How the figures were taken, in words."""
    if rounds == 1:
        return "One run each: too few to tell near ones apart."
    words = (
        f"Medians of {rounds} runs each, in turn, every second round backwards; "
        "a ratio is taken between two runs of one round."
    )
    if len(quickest(timings)) == 1:
        return f"{words} Bold: the quickest; its runs overlap with those of no other."
    return f"{words} Bold: the shortest median, and what its spread does not tell from it."
