"""Which programs run on which runtimes, and under which settings.

One table has the settings: each stock runtime at its defaults and, with --peers-best, at what its documentation offers
against the cost of tasks and of waking. libheddle always runs at its defaults.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from heddle import launch, runtimes
from heddle.bench.measurement import DEFAULT, Column
from heddle.errors import UserError

# runtime -> name of the settings -> variables
SETTINGS: dict[str, dict[str, dict[str, str]]] = {
    "heddle": {DEFAULT: {}},
    "gnu": {
        DEFAULT: {},
        "active": {"OMP_WAIT_POLICY": "active"},
        "bound": {"OMP_WAIT_POLICY": "active", "OMP_PROC_BIND": "true"},
        "spinning": {"GOMP_SPINCOUNT": "infinite"},
    },
    "llvm": {
        DEFAULT: {},
        "active": {"OMP_WAIT_POLICY": "active", "KMP_BLOCKTIME": "infinite"},
        "bound": {"KMP_BLOCKTIME": "infinite", "OMP_PROC_BIND": "true"},
        "unthrottled": {"KMP_BLOCKTIME": "infinite", "KMP_ENABLE_TASK_THROTTLING": "0"},
    },
}

# One rule of libheddle's spawn policy switched off each (heddle bench policy).
RULES = ("serial", "cutoff", "help", "serial-replay", "overlap", "messages", "leapfrog")
WITHOUT = {f"without {rule}": {"HEDDLE_WITHOUT": rule} for rule in RULES}


def settings_of(column: Column) -> dict[str, str]:
    """The variables of a column's settings."""
    return (SETTINGS.get(column.runtime, {DEFAULT: {}}) | WITHOUT)[column.setting]


# Variables of the caller's environment that would change what "default" means; HEDDLE_* stays, it is for trying.
_FOREIGN = ("OMP_", "KMP_", "GOMP_", "LIBOMP_")


@dataclass(frozen=True)
class Start:
    """How a column's program is started."""

    program: Path
    environ: dict[str, str]
    options: tuple[str, ...] = ()
    others: dict[str, tuple[str, ...]] = field(default_factory=dict)  # the set's other programs, by name


def all_of(programs: dict[str, Path], found: list[runtimes.Runtime], *, peers_best: bool) -> list[Column]:
    """Every column that can run: each program on each runtime that serves it.

    Errors: UserError when libheddle cannot serve a program. A stock runtime that cannot has no column.
    """
    columns = []
    for compiler, program in programs.items():
        for runtime in found:
            try:
                launch.plan_on(str(program), runtime, 1)
            except UserError:
                if runtime.name == "heddle":
                    raise
                continue
            settings = SETTINGS[runtime.name] if peers_best else [DEFAULT]
            columns += [Column(compiler, runtime.name, runtime.title, setting) for setting in settings]
    return columns


def start(
    column: Column, program: Path, runtime: runtimes.Runtime, threads: int, also: dict[str, str] | None = None
) -> Start:
    """The environment of one column, with what is also set. The caller's OMP_*, KMP_* and GOMP_* are left out."""
    environ = runtimes.environment(runtime, threads, _kept_environ())
    environ.update(settings_of(column) | (also or {}))
    return Start(program, environ, _form(column))


def start_beside(column: Column, program: Path, threads: int) -> Start:
    """The same of a program that needs no OpenMP runtime: OMP_NUM_THREADS says its threads all the same."""
    return Start(program, {**_kept_environ(), "OMP_NUM_THREADS": str(threads)}, _form(column))


def _kept_environ() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}


def _form(column: Column) -> tuple[str, ...]:
    return ("--form", column.form) if column.form else ()
