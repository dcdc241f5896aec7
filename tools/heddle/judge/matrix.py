"""Every program on every runtime that can serve it, several times each, and what that says of the pair.

A stock runtime that cannot serve a program (libgomp lacks Clang's calls) is left out for it. libheddle claims to serve
all of them, so what it cannot serve counts against it.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from heddle import launch, paths, runtimes, terminal
from heddle.errors import UserError
from heddle.judge import binaries, execute
from heddle.judge.compilers import Compiler
from heddle.judge.sources import Program, matches

SCRATCH = paths.OUT / "judge" / "scratch"

PASSED, FLAKY, FAILED, REFUSED = "passed", "flaky", "failed", "refused"

# reading a runtime's symbols is cached per process, and worth one thread's time only
_planning = threading.Lock()


@dataclass(frozen=True)
class Setting:
    """A variable for the programs whose name matches the pattern."""

    pattern: str
    variable: str
    value: str


@dataclass(frozen=True)
class How:
    """The conditions that all programs run under."""

    threads: int
    repeat: int
    timeout_s: float
    compile_timeout_s: float
    jobs: int
    settings: tuple[Setting, ...] = ()


@dataclass
class Verdict:
    """One program on one runtime. reason says why it was refused; runs is empty then."""

    state: str
    runs: list[execute.Run] = field(default_factory=list)
    reason: str = ""

    @property
    def served(self) -> bool:
        return self.state != REFUSED

    def first_failure(self) -> execute.Run | None:
        """The first run that did not pass."""
        return next((run for run in self.runs if not run.passed), None)


@dataclass
class Case:
    """One program: what came of its source, and its verdicts by the runtime's name."""

    program: Program
    compiler: Compiler | None
    binary: binaries.Binary
    verdicts: dict[str, Verdict] = field(default_factory=dict)

    @property
    def compiled(self) -> bool:
        return self.binary.path is not None

    def passes(self, runtime: str) -> bool:
        """Whether every run on that runtime passed."""
        return runtime in self.verdicts and self.verdicts[runtime].state == PASSED

    @property
    def only_stock(self) -> list[str]:
        """Stock runtimes that pass what libheddle was asked for and does not."""
        if "heddle" not in self.verdicts or self.passes("heddle"):
            return []
        return [name for name in self.verdicts if name != "heddle" and self.passes(name)]


_In = TypeVar("_In")
_Out = TypeVar("_Out")


@contextmanager
def steady(found: list[runtimes.Runtime]) -> Iterator[list[runtimes.Runtime]]:
    """The same runtimes, libheddle as a copy: a build that goes on meanwhile does not change what is judged.

    An installed package is not built anew: its library stays where it is.
    """
    SCRATCH.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=SCRATCH, prefix="runtime-") as folder:
        kept = []
        for runtime in found:
            if runtime.name == "heddle" and not paths.IS_INSTALLED:
                library = Path(folder, runtime.library.resolve().name)
                shutil.copy2(runtime.library, library)
                shims = Path(folder, "shims")
                shims.mkdir()
                for name in sorted(os.listdir(runtime.shims)):
                    (shims / name).symlink_to(library)
                runtime = replace(runtime, library=library, shims=shims)
            kept.append(runtime)
        yield kept


def compile_all(
    programs: list[Program], compilers: dict[str, Compiler], how: How, progress: terminal.Progress
) -> list[Case]:
    """Builds every program; one case each, in their order."""

    def compile_one(program: Program) -> Case:
        compiler = compilers.get(program.language)
        return Case(program, compiler, binaries.build(program, compiler, how.compile_timeout_s))

    return _each(programs, compile_one, how.jobs, progress)


def run_all(cases: list[Case], found: list[runtimes.Runtime], how: How, progress: terminal.Progress) -> None:
    """Fills in the verdicts of the cases that compiled."""
    ready = [case for case in cases if case.compiled]
    _each(ready, lambda case: _judge(case, found, how), how.jobs, progress)


def _each(items: list[_In], action: Callable[[_In], _Out], jobs: int, progress: terminal.Progress) -> list[_Out]:
    """The action on each item, jobs at a time; results in the order of the items."""
    pool = ThreadPoolExecutor(max_workers=jobs)
    try:
        started: list[Future[_Out]] = [pool.submit(action, item) for item in items]
        for done, future in enumerate(as_completed(started), start=1):
            future.result()
            progress(done, len(started))
        return [future.result() for future in started]
    except BaseException:
        execute.end_all()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _judge(case: Case, found: list[runtimes.Runtime], how: How) -> None:
    assert case.binary.path is not None
    for runtime in found:
        try:
            with _planning:
                plan = launch.plan_on(str(case.binary.path), runtime, how.threads)
        except UserError as refusal:
            reason = str(refusal).replace(str(case.binary.path), case.program.name)
            case.verdicts[runtime.name] = Verdict(REFUSED, reason=reason)
            continue
        for setting in how.settings:
            if matches(case.program.name, [setting.pattern]):
                plan.environ[setting.variable] = setting.value
        case.verdicts[runtime.name] = _verdict([_run(case.binary.path, plan, how) for _ in range(how.repeat)])


def _run(binary: Path, plan: launch.Plan, how: How) -> execute.Run:
    folder = tempfile.mkdtemp(dir=SCRATCH, prefix="run-")
    try:
        return execute.run([str(binary)], how.timeout_s, Path(folder), plan.environ)
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # a child that outlives its program may write there still


def _verdict(runs: list[execute.Run]) -> Verdict:
    passed = sum(run.passed for run in runs)
    state = PASSED if passed == len(runs) else FLAKY if passed else FAILED
    return Verdict(state, runs)
