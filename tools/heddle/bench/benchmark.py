"""What a benchmark set says of itself; session.py does the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from heddle.bench.measurement import Case, Column, Measurement
from heddle.bench.programs import Sources


@dataclass(frozen=True)
class Benchmark:
    """One set. Functions that are given --kernels or --plot raise UserError for what cannot be."""

    name: str  # as in heddle bench NAME
    sources: Sources
    quick: tuple[str, ...]  # what --quick gives the program
    chosen: Callable[[str | None, bool], list[Case]]  # by --kernels and --quick
    named: Callable[[str], Case]  # by the name that a record has
    columns: Callable[[list[Column]], list[Column]]  # of those that can run, in the forms that are measured
    show: Callable[[Console, Measurement], None]  # the report
    ratios: Callable[[Measurement], dict[str, Any]]  # what the report compares, for people who read the record
    plot: Callable[[Path, Measurement], None] | None = None  # where the command has --plot
    check_plot: Callable[[list[Case]], None] = lambda chosen: None  # whether there is anything to draw
    environ: dict[str, str] = field(default_factory=dict)  # of every run
    others: tuple[Sources, ...] = ()  # programs of cases that name them
    # Commands that cases name like programs, and that run those by themselves.
    commands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    # Columns of task systems other than OpenMP that are installed, each with its program.
    beside: Callable[[], dict[Column, Path]] = dict
