"""One session from the words of the command line to its report."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from pathlib import Path

from heddle import runtimes, terminal, toolchain, whole_file
from heddle.bench import columns, programs, record, rounds
from heddle.bench.benchmark import Benchmark
from heddle.bench.measurement import Case, Column, Measurement, failure
from heddle.errors import CheckFailed, UserError
from heddle.judge import matrix

_PICTURES = (".png", ".svg")


@dataclass(frozen=True)
class Request:
    """What was asked for, as the user wrote it."""

    threads: str
    rounds: int
    kernels: str | None
    json: Path | None
    plot: Path | None
    source: Path | None
    runtimes: str | None
    seconds: float
    timeout_s: float
    quick: bool
    peers_best: bool = False


def run(benchmark: Benchmark, request: Request) -> None:
    """Measures, or reads what was measured, and reports.

    Errors: UserError for what was asked wrongly, before anything runs; CheckFailed when libheddle fails a case.
    """
    if request.source:
        if request.json:
            raise UserError("--json writes what is measured, and --from measures nothing")
        measurement = record.read(request.source, benchmark)
        _check_outputs(benchmark, request, [benchmark.named(name) for name in measurement.cases])
    else:
        measurement = measured(benchmark, request)
    benchmark.show(terminal.console(), measurement)
    if request.plot and benchmark.plot:
        benchmark.plot(request.plot, measurement)
    _conclude(measurement)


def measured(benchmark: Benchmark, request: Request) -> Measurement:
    """Measures what was asked for, and writes the record. Errors: UserError for what was asked wrongly."""
    threads = thread_counts(request.threads)
    chosen = benchmark.chosen(request.kernels, request.quick)
    _check_outputs(benchmark, request, chosen)
    how = _conditions(benchmark, request)
    names = runtimes.chosen(request.runtimes)
    compilers = programs.compilers()
    with matrix.steady(toolchain.require_runtimes(names)) as found:
        made, others = built(benchmark, compilers)
        beside = benchmark.beside() if request.runtimes is None else {}
        all_columns = benchmark.columns(columns.all_of(made, found, peers_best=request.peers_best)) + list(beside)
        measurement = Measurement(all_columns, [case.name for case in chosen], how.rounds)
        by_name = {runtime.name: runtime for runtime in found}

        def start(column: Column, count: int) -> columns.Start:
            if column in beside:
                return columns.start_beside(column, beside[column], count)
            begun = columns.start(column, made[column.compiler], by_name[column.runtime], count, benchmark.environ)
            return replace(begun, others=others[column.compiler])

        starts = {count: {column.key: start(column, count) for column in all_columns} for count in threads}
        with terminal.bar("measuring", announces=True, predicts=True) as progress:
            rounds.run_all(measurement, chosen, starts, how, progress)
        if request.json:
            record.write(request.json, benchmark, measurement, compilers, found, how.options)
    return measurement


def built(
    benchmark: Benchmark, compilers: list[programs.Compiler]
) -> tuple[dict[str, Path], dict[str, dict[str, tuple[str, ...]]]]:
    """The set's program by each compiler, and the commands that its cases name. Errors: those of programs.build()."""
    made = {compiler.name: programs.build(compiler, benchmark.sources) for compiler in compilers}
    others = {
        compiler.name: benchmark.commands
        | {sources.name: (str(programs.build(compiler, sources)),) for sources in benchmark.others}
        for compiler in compilers
    }
    return made, others


def _conclude(measurement: Measurement) -> None:
    """Errors: CheckFailed when libheddle failed a case."""
    ours = [column for column in measurement.columns if column.is_ours]
    failed = {
        case
        for rows in measurement.runs.values()
        for case, by_column in rows.items()
        if any(failure(by_column.get(column.key, [])) for column in ours)
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


def _check_outputs(benchmark: Benchmark, request: Request, chosen: list[Case]) -> None:
    if request.json:
        whole_file.check("--json", request.json)
    if request.plot:
        if request.plot.suffix not in _PICTURES:
            raise UserError(f"--plot {request.plot}: give a name that ends in {' or '.join(_PICTURES)}")
        benchmark.check_plot(chosen)
        whole_file.check("--plot", request.plot)


def _conditions(benchmark: Benchmark, request: Request) -> rounds.How:
    if request.rounds < 1:
        raise UserError(f"--rounds {request.rounds}: each case runs at least once")
    for name, value in (("seconds", request.seconds), ("timeout", request.timeout_s)):
        if not (math.isfinite(value) and value > 0):
            raise UserError(f"--{name} {value:g}: give a number of seconds above 0")
    options = benchmark.quick if request.quick else ("--seconds", f"{request.seconds:g}")
    return rounds.How(1 if request.quick else request.rounds, request.timeout_s, options)
