"""Everything that a judgement found, as JSON: for comparing two of them, and for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from heddle import results, runtimes
from heddle.judge import execute, matrix
from heddle.judge.compilers import Compiler


def write(
    file: Path,
    folder: Path,
    cases: list[matrix.Case],
    compilers: dict[str, Compiler],
    found: list[runtimes.Runtime],
    how: matrix.How,
    expected: list[str] | None,
) -> None:
    """Writes the whole judgement, at once."""
    record = {
        "date": results.date(),
        "folder": str(folder),
        "compilers": {language: _compiler(compiler) for language, compiler in compilers.items()},
        "runtimes": {runtime.name: results.runtime_entry(runtime) for runtime in found},
        "threads": how.threads,
        "repeat": how.repeat,
        "timeout_s": how.timeout_s,
        "settings": [vars(setting) for setting in how.settings],
        "expected": expected,
        "programs": [_case(case) for case in cases],
    }
    results.write(file, record)


def _compiler(compiler: Compiler) -> dict[str, Any]:
    return {"command": compiler.command, "options": list(compiler.options), "version": compiler.version}


def _case(case: matrix.Case) -> dict[str, Any]:
    return {
        "name": case.program.name,
        "language": case.program.language,
        "compiler": case.compiler.name if case.compiler else None,
        "compiled": case.compiled,
        "compiler_said": list(case.binary.said),
        "first_error": case.binary.reason or None,
        "binary": str(case.binary.path) if case.binary.path else None,
        "runtimes": {name: _verdict(verdict) for name, verdict in case.verdicts.items()},
    }


def _verdict(verdict: matrix.Verdict) -> dict[str, Any]:
    return {"verdict": verdict.state, "reason": verdict.reason, "runs": [_run(run) for run in verdict.runs]}


def _run(run: execute.Run) -> dict[str, Any]:
    return {
        "passed": run.passed,
        "end": run.end(),
        "status": run.status,
        "signal": run.signal_name or None,
        "timed_out": run.timed_out,
        "seconds": round(run.seconds, 3),
        "output_end": list(run.tail),
    }
