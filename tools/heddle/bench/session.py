"""One session from the words of the command line to its report."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from heddle import results, runtimes, terminal, toolchain
from heddle.bench import cases, columns, programs, record, rounds, table
from heddle.bench.measurement import Measurement
from heddle.errors import CheckFailed, UserError
from heddle.judge import matrix

# What --quick gives the programs: small, to see that everything works.
_QUICK = "--tasks 500 --size 8 --repetitions 2".split()


@dataclass(frozen=True)
class Request:
    """What was asked for, as the user wrote it."""

    threads: str
    rounds: int
    kernels: str | None
    json: Path | None
    plot: Path | None
    source: Path | None
    peers_best: bool
    runtimes: str | None
    seconds: float
    timeout_s: float
    quick: bool


def run(request: Request) -> None:
    """Measures, or reads what was measured, and reports.

    Errors: UserError for what was asked wrongly, before anything runs; CheckFailed when libheddle fails a case.
    """
    if request.source:
        if request.json:
            raise UserError("--json writes what is measured, and --from measures nothing")
        measurement = record.read(request.source)
        _check_outputs(request, [cases.named(name) for name in measurement.cases])
    else:
        measurement = _measured(request)
    table.show(terminal.console(), measurement)
    if request.plot:
        from heddle.bench import plot  # matplotlib takes its time

        plot.write(request.plot, measurement)
    _conclude(measurement)


def _measured(request: Request) -> Measurement:
    threads = thread_counts(request.threads)
    chosen = cases.chosen(request.kernels)
    _check_outputs(request, chosen)
    how = _conditions(request)
    names = runtimes.chosen(request.runtimes)
    compilers = programs.compilers()
    with matrix.steady(toolchain.require_runtimes(names)) as found:
        made = {compiler.name: programs.build(compiler) for compiler in compilers}
        all_columns = columns.all_of(made, found, peers_best=request.peers_best)
        measurement = Measurement(all_columns, [case.name for case in chosen], how.rounds)
        by_name = {runtime.name: runtime for runtime in found}
        starts = {
            count: {c.key: columns.start(c, made[c.compiler], by_name[c.runtime], count) for c in all_columns}
            for count in threads
        }
        with terminal.bar("measuring", announces=True, predicts=True) as progress:
            rounds.run_all(measurement, chosen, starts, how, progress)
        if request.json:
            record.write(request.json, measurement, compilers, found, how.options)
    return measurement


def _conclude(measurement: Measurement) -> None:
    """Errors: CheckFailed when libheddle failed a case."""
    ours = [column for column in measurement.columns if column.is_ours]
    failed = {
        case
        for rows in measurement.runs.values()
        for case, by_column in rows.items()
        if any(table.failure(by_column.get(column.key, [])) for column in ours)
    }
    if failed:
        raise CheckFailed(f"libheddle fails {', '.join(sorted(failed))}")


def thread_counts(text: str) -> list[int]:
    """1,2,4 as numbers. Errors: UserError for what is no list of numbers, each at least 1 and there once."""
    try:
        counts = [int(word) for word in text.split(",")]
    except ValueError:
        raise UserError(f"--threads {text}: give numbers separated by commas, as in 1,2,4") from None
    if min(counts) < 1:
        raise UserError(f"--threads {text}: a team has at least 1 thread")
    if len(set(counts)) < len(counts):
        raise UserError(f"--threads {text} names a number twice")
    return counts


def _check_outputs(request: Request, chosen: list[cases.Case]) -> None:
    if request.json:
        results.check("--json", request.json)
    if request.plot:
        from heddle.bench import plot

        plot.check(request.plot, chosen)
        results.check("--plot", request.plot)


def _conditions(request: Request) -> rounds.How:
    if request.rounds < 1:
        raise UserError(f"--rounds {request.rounds}: each case runs at least once")
    for name, value in (("seconds", request.seconds), ("timeout", request.timeout_s)):
        if not (math.isfinite(value) and value > 0):
            raise UserError(f"--{name} {value:g}: give a number of seconds above 0")
    options = (*_QUICK,) if request.quick else ("--seconds", f"{request.seconds:g}")
    return rounds.How(1 if request.quick else request.rounds, request.timeout_s, options)
