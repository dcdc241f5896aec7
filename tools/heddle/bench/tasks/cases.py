"""The cases: which kernels of bench/kernels/tasks are run, with which options, and what is read off."""

from __future__ import annotations

from heddle.bench.choice import closest, matching
from heddle.bench.measurement import PEAK_MIB, Case
from heddle.errors import UserError


def is_sweep(case: Case) -> bool:
    """Whether it has a curve of efficiency."""
    return case.kernel.startswith("metg-")


def check_plot(chosen: list[Case]) -> None:
    """Errors: UserError when nothing of what was chosen has a curve."""
    if not any(is_sweep(case) for case in chosen):
        raise UserError("--plot draws the metg cases; --kernels names none of them")


def _plain(*names: str, by_default: bool = True) -> list[Case]:
    return [Case(name, name, by_default=by_default) for name in names]


def _variant(kernel: str, suffix: str, options: str, *, by_default: bool = True) -> Case:
    return Case(f"{kernel}-{suffix}", kernel, tuple(options.split()), by_default)


_REPLAYED = ("independent", "chain", "listing1", "fan", "wavefront", "dag", "in3out1", "stencil", "taskloop")

CASES: list[Case] = [
    *_plain("independent", "chain", "listing1", "fan", "wavefront", "dag", "in3out1", "iterators"),
    *_plain("fib", "nqueens", "nested", "taskloop"),
    _variant("taskloop", "16", "--grainsize 16"),
    _variant("taskloop", "256", "--grainsize 256 --tasks 5000"),
    *_plain("producer", "consumer", "sweeps", "stencil", "nearest"),
    _variant("live-chain", "1000", "--tasks 1000"),
    # Recorded once as a taskgraph and replayed; on runtimes without, created each time.
    *(_variant(kernel, "graph", "--graph 1") for kernel in _REPLAYED),
    _variant("listing1", "recorded", "--graph 2"),
    # The first repetition touches fresh memory, which costs what the operating system takes for it.
    _variant("live-chain", "1000000", "--tasks 1000000 --repetitions 3"),
    *_plain("metg-stencil", "metg-nearest", "metg-trivial"),
    Case("memory", "memory", unit="bytes"),
    # Long tasks among short ones, or behind them; not in the mean over tasks that are all short.
    *_plain("mixed-late", "mixed-busy", "mixed-rare", "mixed-growing", by_default=False),
    *_plain("mixed-producers", "mixed-uts", by_default=False),
    _variant("mixed-late", "20000", "--tasks 20000", by_default=False),
    # libgomp takes time in the square of the readers of one task.
    _variant("live-fan", "1000", "--tasks 1000", by_default=False),
    _variant("live-fan", "1000000", "--tasks 1000000", by_default=False),
    Case("flood", "flood", (), False, PEAK_MIB, "MiB", 600.0),
    Case("flood-chains", "flood-chains", (), False, PEAK_MIB, "MiB", 600.0),
]


def chosen(words: str | None) -> list[Case]:
    """Cases by a list of names and patterns; without one those that run by default.

    Errors: UserError for a word that matches none.
    """
    if words is None:
        return [case for case in CASES if case.by_default]
    return matching(words, CASES, closest)


def named(name: str) -> Case:
    """The case of that name. Errors: UserError when there is none."""
    return next(iter(chosen(name)))
