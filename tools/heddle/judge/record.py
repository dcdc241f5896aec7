"""Everything that a judgement found, as JSON: for comparing two of them, and for other programs."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
from pathlib import Path
from typing import Any

from heddle import runtimes
from heddle.errors import UserError
from heddle.judge import execute, matrix
from heddle.judge.compilers import Compiler


def check(file: Path) -> None:
    """Errors: UserError when the file could not be written at the end."""
    if file.is_dir():
        raise UserError(f"--json {file} is a folder; name a file")
    if not file.parent.is_dir():
        raise UserError(f"--json {file}: there is no folder {file.parent}; make it first")
    if not os.access(file.parent, os.W_OK):
        raise UserError(f"--json {file}: the folder {file.parent} cannot be written")


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
        "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
        "folder": str(folder),
        "compilers": {language: _compiler(compiler) for language, compiler in compilers.items()},
        "runtimes": {runtime.name: _runtime(runtime) for runtime in found},
        "threads": how.threads,
        "repeat": how.repeat,
        "timeout_s": how.timeout_s,
        "settings": [vars(setting) for setting in how.settings],
        "expected": expected,
        "programs": [_case(case) for case in cases],
    }
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    fresh.replace(file)


def _compiler(compiler: Compiler) -> dict[str, Any]:
    return {"command": compiler.command, "options": list(compiler.options), "version": compiler.version}


def _runtime(runtime: runtimes.Runtime) -> dict[str, Any]:
    file = runtime.library.resolve()
    return {"title": runtime.title, "library": file.name, "sha256": hashlib.sha256(file.read_bytes()).hexdigest()}


def _case(case: matrix.Case) -> dict[str, Any]:
    return {
        "name": case.program.name,
        "language": case.program.language,
        "compiler": case.compiler.name if case.compiler else None,
        "compiled": case.compiled,
        "compiler_said": list(case.binary.said),
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
