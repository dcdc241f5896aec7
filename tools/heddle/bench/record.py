"""A measurement as JSON, with all that is needed to read it later: machine, versions, settings, command."""

from __future__ import annotations

import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from heddle import machine, results, runtimes
from heddle.bench import columns, programs
from heddle.bench.benchmark import Benchmark
from heddle.bench.measurement import Column, Measurement, Point, Run
from heddle.errors import UserError


def write(
    file: Path,
    benchmark: Benchmark,
    measurement: Measurement,
    compilers: list[programs.Compiler],
    found: list[runtimes.Runtime],
    options: tuple[str, ...],
) -> None:
    """Writes everything, at once."""
    record = {
        "benchmark": benchmark.name,
        "date": results.date(),
        "command": ["heddle", *sys.argv[1:]],
        "machine": machine.described(),
        "compilers": {compiler.name: compiler.version for compiler in compilers},
        "runtimes": {runtime.name: results.runtime_entry(runtime) for runtime in found},
        "options": list(options),
        "settings": {c.key: columns.settings_of(c) for c in measurement.columns},
        **plain(measurement),
        "ratios": benchmark.ratios(measurement),
    }
    results.write(file, record)


def read(file: Path, benchmark: Benchmark) -> Measurement:
    """What write() wrote. Errors: UserError when the file is no record of this benchmark."""
    record = results.read(file, "--from")
    try:
        if record.get("benchmark", "tasks") == benchmark.name:
            return measurement_of(record)
    except (KeyError, TypeError, AttributeError, ValueError):
        pass
    raise UserError(f"--from {file} is no record of heddle bench {benchmark.name}")


def plain(measurement: Measurement) -> dict[str, Any]:
    """The measurement in JSON's terms."""
    return {
        "columns": [asdict(column) for column in measurement.columns],
        "cases": measurement.cases,
        "rounds": measurement.rounds,
        "runs": {
            str(threads): {
                case: {key: [_run(run) for run in runs] for key, runs in by_column.items()}
                for case, by_column in rows.items()
            }
            for threads, rows in measurement.runs.items()
        },
    }


def measurement_of(record: dict[str, Any]) -> Measurement:
    """The measurement that plain() was given. Errors: ValueError and the like for what it cannot have been."""
    result = Measurement(
        [Column(**column) for column in record["columns"]],
        list(record["cases"]),
        int(record["rounds"]),
        {
            int(threads): {
                case: {key: [_run_of(run) for run in runs] for key, runs in by_column.items()}
                for case, by_column in rows.items()
            }
            for threads, rows in record["runs"].items()
        },
    )
    texts = [text for column in record["columns"] for text in column.values()] + result.cases
    names = {case for rows in result.runs.values() for case in rows}
    keys = {key for rows in result.runs.values() for by_column in rows.values() for key in by_column}
    are_texts = all(isinstance(text, str) for text in texts)
    if not are_texts or names - set(result.cases) or keys - {column.key for column in result.columns}:
        raise ValueError("its rows and columns are not those that it names")
    if result.rounds < 1 or not result.cases or not result.columns or any(threads < 1 for threads in result.runs):
        raise ValueError("it has no rows, columns or rounds")
    return result


def _run(run: Run) -> dict[str, Any]:
    record: dict[str, Any] = {"value": run.value, "words": run.words}
    if run.points:
        record["points"] = [[point.task_ns, point.efficiency] for point in run.points]
    if run.failure:
        record.update(failure=run.failure, refused=run.refused)
    return record


def _run_of(record: dict[str, Any]) -> Run:
    points = tuple(Point(*map(_number, point)) for point in record.get("points", []))
    value, words, failure = record["value"], record["words"], record.get("failure", "")
    if not all(isinstance(text, str) for text in (*words, *words.values(), failure)):
        raise ValueError("what the program said is no text")
    return Run(None if value is None else _number(value), words, points, failure, bool(record.get("refused", False)))


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < math.inf:
        raise ValueError("what was measured is no number")
    return value
