"""Times every way on every runtime, in turn, and checks that all answers are the same, bit for bit.

A *combination* is a way in a column; a *round* runs each once (demo/rounds.py). A combination that does not end in
time is stopped, said so, and not asked again.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heddle import program_run
from heddle.demo import rounds as in_turn
from heddle.errors import CheckFailed
from heddle.wave.columns import Column
from heddle.wave.ways import Offer, Way

# What the others are divided by: what a user has today.
BASELINE = ("bsp", "well", "gnu")

# Of the results file: what no way and no runtime may change.
_SAME = ("state_fingerprint", "mesh_fingerprint", "steps", "time", "step_lengths", "patches_per_level")


@dataclass
class Timing:
    """What one combination did over the rounds. seconds: of all steps, without preparation."""

    way: Way
    column: Column
    seconds: list[float] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)  # of the threads' time on patches
    ratios: list[float] = field(default_factory=list)
    limit_s: float | None = None  # in which it did not end

    @property
    def ends(self) -> bool:
        return self.limit_s is None

    @property
    def median_seconds(self) -> float:
        return statistics.median(self.seconds)

    @property
    def share(self) -> float:
        return statistics.median(self.shares)

    @property
    def ratio(self) -> float | None:
        """Time over the baseline's; None when there is no baseline."""
        return statistics.median(self.ratios) if self.ratios else None


@dataclass
class Measurement:
    """All timings, and the results of the first run: every other run had the same state at its end."""

    timings: list[Timing]
    rounds: int
    threads: int
    results: dict[str, Any]

    @property
    def runs(self) -> int:
        """How many ended."""
        return sum(len(timing.seconds) for timing in self.timings)


def measure(
    offer: Offer,
    chosen: list[Column],
    arguments: list[str],
    threads: int,
    *,
    timeout_s: float,
    rounds: int | None,
    budget_s: float,
    advance: Callable[[str, int, int], None],
) -> Measurement:
    """Runs as many rounds as asked for, or as fit into the budget.

    advance(text, done, total) is called before each run. Errors: CheckFailed when a run fails or two answers differ.
    """
    timings = [Timing(way, column) for way in offer.ways() for column in chosen]
    first: tuple[str, dict[str, Any]] | None = None

    def described(timing: Timing | None) -> str:
        return timing.column.described(timing.way, threads) if timing else "done"

    def run_one(timing: Timing) -> None:
        nonlocal first
        if not timing.ends:
            return
        try:
            data = timing.column.run(timing.way, arguments, threads, Path(folder) / "results.json", timeout_s=timeout_s)
        except program_run.NotEnded as reason:
            timing.limit_s = reason.limit_s
            return
        except program_run.RunFailed as failure:
            raise CheckFailed(str(failure)) from None
        if first is None:
            first = (described(timing), data)
        require_same(first, (described(timing), data))
        timing.seconds.append(data["wall_seconds"]["steps"])
        timing.shares.append(data["busy_share"])

    with tempfile.TemporaryDirectory(prefix="heddle-wave-") as folder:
        number = in_turn.run(
            timings,
            run_one,
            rounds=rounds,
            budget_s=budget_s,
            advance=lambda timing, done, total: advance(described(timing), done, total),
        )
    if first is None:
        raise CheckFailed(f"no run ended in {timeout_s:g} s")
    _fill_ratios(timings)
    return Measurement(timings, number, threads, first[1])


def require_same(first: tuple[str, dict[str, Any]], other: tuple[str, dict[str, Any]]) -> None:
    """Each: a run in words, its results. Errors: CheckFailed when the answers differ in any bit."""
    for quantity in _SAME:
        mine, theirs = other[1][quantity], first[1][quantity]
        if mine != theirs:
            words = f"{quantity} is {mine} against {theirs}"[:300]
            raise CheckFailed(f"{other[0]} and {first[0]} disagree: {words}")


def _fill_ratios(timings: list[Timing]) -> None:
    for baseline in timings:
        if (baseline.way.name, baseline.way.cut, baseline.column.name) == BASELINE:
            for timing in timings:
                # What did not end in a later round has fewer times than the baseline.
                timing.ratios = [mine / theirs for mine, theirs in zip(timing.seconds, baseline.seconds)]
