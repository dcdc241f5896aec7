"""Times every variant on every runtime, in turn, and checks that all answers are the same.

A *combination* is a variant on a runtime, with threads of one process or with as many ranks of one thread; a *round*
runs each combination once (rounds.py). A ratio is taken inside a round and its median over the rounds is shown.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from heddle import program_run, runtimes
from heddle.demo import amr_run, inputs
from heddle.demo import rounds as in_turn
from heddle.errors import CheckFailed

# The one that the others are divided by: what a user has today.
BASELINE = ("loop", "gnu")

# What the paper on ranks compares with (docs/papers/2-sala2020.md): MPI only, and fork-join in each rank.
_ON_RANKS = ("serial", "loop")
_RANKS = 2


@dataclass
class Timing:
    """What one combination did over the rounds."""

    variant: str
    runtime: runtimes.Runtime
    ranks: int = 1
    seconds: list[float] = field(default_factory=list)
    updates_per_second: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)

    @property
    def way(self) -> str:
        """The variant, and the ranks where there are several."""
        return self.variant if self.ranks == 1 else f"{self.variant}, {self.ranks} ranks"

    @property
    def median_seconds(self) -> float:
        return statistics.median(self.seconds)

    @property
    def ratio(self) -> float | None:
        """Time over the baseline's; None when the baseline's runtime is not installed."""
        return statistics.median(self.ratios) if self.ratios else None

    @property
    def updates(self) -> float:
        return statistics.median(self.updates_per_second)


@dataclass
class Measurement:
    """All timings, and the results of the first run: every other run had the same checks and meshes."""

    timings: list[Timing]
    rounds: int
    threads: int
    results: amr_run.Results


def measure(
    program: Path,
    chosen: list[runtimes.Runtime],
    the_input: inputs.Input,
    threads: int,
    *,
    rounds: int | None,
    budget_s: float,
    advance: Callable[[str, int, int], None],
) -> Measurement:
    """Runs the rounds: as many as asked for, or as fit into the budget (one at least).

    advance(text, done, total) is called before each run. Errors: CheckFailed when a run fails or two answers differ.
    """
    timings = combinations(chosen)
    first: tuple[str, amr_run.Results] | None = None

    def described(timing: Timing) -> str:
        return program_run.described(timing.way, timing.runtime, 1 if timing.ranks > 1 else threads)

    def run_one(timing: Timing) -> None:
        nonlocal first
        results = _run(program, timing, the_input, threads, Path(folder) / "results.json")
        if first is None:
            first = (described(timing), results)
        _require_same(first, (described(timing), results))
        timing.seconds.append(results.seconds)
        timing.updates_per_second.append(results.cell_updates_per_second)

    with tempfile.TemporaryDirectory(prefix="heddle-demo-") as folder:
        number = in_turn.run(
            timings,
            run_one,
            rounds=rounds,
            budget_s=budget_s,
            advance=lambda timing, done, total: advance(described(timing) if timing else "done", done, total),
        )
    assert first is not None
    _fill_ratios(timings)
    return Measurement(timings, number, threads, first[1])


def combinations(chosen: list[runtimes.Runtime]) -> list[Timing]:
    """Every one, not timed yet."""
    ways = [(variant, 1) for variant in amr_run.VARIANTS] + [(variant, _RANKS) for variant in _ON_RANKS]
    return [Timing(variant, runtime, ranks) for variant, ranks in ways for runtime in chosen]


def _run(program: Path, timing: Timing, the_input: inputs.Input, threads: int, results: Path) -> amr_run.Results:
    try:
        return amr_run.run(
            program,
            timing.runtime,
            timing.variant,
            1 if timing.ranks > 1 else threads,
            [*the_input.arguments, *inputs.roots_over(timing.ranks)],
            results,
            timeout_s=the_input.timeout_s,
            ranks=timing.ranks,
        )
    except program_run.RunFailed as failure:
        raise CheckFailed(str(failure)) from None


def _require_same(first: tuple[str, amr_run.Results], other: tuple[str, amr_run.Results]) -> None:
    """Errors: CheckFailed when sums or meshes differ in any bit."""
    difference = amr_run.first_difference(other[1].checks, first[1].checks)
    if difference is None:
        mine, theirs = other[1].refinements, first[1].refinements
        if [one["mesh_fingerprint"] for one in mine] != [one["mesh_fingerprint"] for one in theirs]:
            difference = "the meshes"
    if difference:
        raise CheckFailed(f"{other[0]} and {first[0]} disagree: {difference}")


def _fill_ratios(timings: list[Timing]) -> None:
    for baseline in timings:
        if (baseline.way, baseline.runtime.name) == BASELINE:
            for timing in timings:
                timing.ratios = [mine / theirs for mine, theirs in zip(timing.seconds, baseline.seconds)]
