"""One judgement from the words of the command line to its report."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from pathlib import Path

from heddle import runtimes, terminal, toolchain, whole_file
from heddle.errors import CheckFailed, UserError
from heddle.judge import compilers, execute, expect, matrix, record, report, sources

_SETTING = re.compile(r"^(\S+)\s+([A-Za-z_]\w*)=(.*)$", re.DOTALL)


@dataclass(frozen=True)
class Request:
    """What was asked for, as the user wrote it."""

    folder: Path
    line: str
    threads: int
    repeat: int
    expect: Path | None
    record: Path | None
    timeout_s: float
    compile_timeout_s: float
    jobs: int | None
    runtimes: str | None
    only: tuple[str, ...]
    settings: tuple[str, ...]


def run(request: Request) -> None:
    """Judges and reports.

    Errors: UserError for what was asked wrongly, before anything is built, and where nothing could be judged;
    CheckFailed when libheddle does not pass.
    """
    how = _conditions(request)
    names = runtimes.chosen(request.runtimes)
    if request.record:
        whole_file.check("--json", request.record)
    everything = sources.find(request.folder)
    programs = sources.choose(everything, list(request.only))
    family = compilers.family(request.line)
    if not any(program.language in family for program in programs):
        raise UserError(f"--cc '{request.line}' builds none of the {len(programs)} programs; name their compiler")
    expected = expect.read(request.expect, everything, family) if request.expect else None
    with matrix.steady(toolchain.require_runtimes(names)) as found:
        try:
            cases = _judge(programs, family, found, how)
        except execute.Interrupted:
            raise KeyboardInterrupt from None
        if request.record:
            record.write(request.record, request.folder, cases, family, found, how, expected)
        console = terminal.console()
        report.show(console, cases, found)
        _conclude(console, cases, expected, names)


def _judge(
    programs: list[sources.Program],
    family: dict[str, compilers.Compiler],
    found: list[runtimes.Runtime],
    how: matrix.How,
) -> list[matrix.Case]:
    with terminal.bar("compiling", announces=True) as progress:
        cases = matrix.compile_all(programs, family, how, progress)
    with terminal.bar("running", announces=True) as progress:
        matrix.run_all(cases, found, how, progress)
    return cases


def _conclude(console, cases: list[matrix.Case], expected: list[str] | None, names: list[str]) -> None:
    """Errors: CheckFailed when libheddle does not pass what it should, UserError when no program ran."""
    if expected is None:
        _require_a_run(cases)
    if "heddle" not in names:
        return
    if expected is None:
        lacking = sum(bool(case.only_stock) for case in cases)
        if lacking:
            raise CheckFailed(f"libheddle fails {lacking} of {len(cases)} programs that a stock runtime passes")
        return
    judged = [case for case in cases if case.program.name in set(expected)]
    missed = [case for case in judged if not case.passes("heddle")]
    if missed:
        report.show_missed(console, missed)
        raise CheckFailed(f"libheddle does not pass {len(missed)} of {len(judged)} expected programs")
    console.print(f"\nall {len(judged)} expected programs pass on libheddle")


def _require_a_run(cases: list[matrix.Case]) -> None:
    compiled = [case for case in cases if case.compiled]
    if not compiled:
        raise UserError(f"none of the {len(cases)} programs compiles, so nothing was judged; --cc gives other options")
    verdicts = [verdict for case in compiled for verdict in case.verdicts.values()]
    if not any(verdict.served for verdict in verdicts):
        raise UserError(f"no program could be run, so nothing was judged: {verdicts[0].reason}")


def _conditions(request: Request) -> matrix.How:
    if request.threads < 1:
        raise UserError(f"--threads {request.threads}: a team has at least 1 thread")
    if request.repeat < 1:
        raise UserError(f"--repeat {request.repeat}: each program runs at least once")
    for option, seconds in (("--timeout", request.timeout_s), ("--compile-timeout", request.compile_timeout_s)):
        if not (math.isfinite(seconds) and seconds > 0):
            raise UserError(f"{option} {seconds:g}: give a number of seconds above 0")
    if request.jobs is not None and request.jobs < 1:
        raise UserError(f"--jobs {request.jobs}: at least 1 program runs at a time")
    jobs = request.jobs or max(1, len(os.sched_getaffinity(0)) // request.threads)
    settings = []
    for text in request.settings:
        match = _SETTING.match(text)
        if not match:
            raise UserError(f"--set '{text}' is not 'PATTERN NAME=VALUE', as in 'tasks/* OMP_MAX_TASK_PRIORITY=9'")
        settings.append(matrix.Setting(match[1], match[2], match[3]))
    limits = (request.timeout_s, request.compile_timeout_s)
    return matrix.How(request.threads, request.repeat, *limits, jobs, tuple(settings))
