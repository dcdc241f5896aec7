"""Which two items decide: a binary search on the way from an order that gives the reference's output to one that
does not.

The way leads from the good order to the bad one by exchanges of neighbours: the first item of the bad order moves left
to its place, then the second, and so on. Somewhere on it one exchange changes the output, wherever else it may change;
what was exchanged there are two items that nothing keeps in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Order = list[str]
Differs = Callable[[Order], bool]


@dataclass(frozen=True)
class Culprit:
    """Two items: in `good` first stands immediately before second, in `bad` behind; only bad gives another output."""

    first: str
    second: str
    good: Order
    bad: Order


def search(good: Order, bad: Order, differs: Differs) -> Culprit | None:
    """Finds an exchange of neighbours that changes the output; None where the two ends do not behave as required.

    Requires: both orders hold the same items, each once.
    Cost: about two times the binary logarithm of their number of calls of differs().
    """
    if good == bad or differs(good) or not differs(bad):
        return None

    def after_moves(count: int) -> Order:
        moved = set(bad[:count])
        return bad[:count] + [item for item in good if item not in moved]

    moves = _first_that(lambda count: differs(after_moves(count)), 0, len(bad)) - 1
    start = after_moves(moves)
    item, at = bad[moves], start.index(bad[moves])

    def after_steps(steps: int) -> Order:
        rest = start[:at] + start[at + 1 :]
        return [*rest[: at - steps], item, *rest[at - steps :]]

    steps = _first_that(lambda count: differs(after_steps(count)), 0, at - moves)
    return Culprit(start[at - steps], item, after_steps(steps - 1), after_steps(steps))


def _first_that(holds: Callable[[int], bool], does_not: int, does: int) -> int:
    """A number that holds next to one that does not."""
    while does - does_not > 1:
        middle = (does_not + does) // 2
        if holds(middle):
            does = middle
        else:
            does_not = middle
    return does
