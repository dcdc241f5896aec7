"""The stages of ./heddle test, in order: what each proves, its commands and how long it may take.

A stage passes when all its commands end with status 0 in time; limits grow on a machine that is busy or slow
(patience.py). Nothing is skipped: a stage whose tools or tests are missing fails, since a test that did not run proves
nothing. A run of all stages draws one of those that have the same one_of, and cases of sampled tests
(tests/conftest.py); it says so, and with which seed. --full leaves nothing to chance.
"""

from __future__ import annotations

import itertools
import os
import random
import re
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import dataclass, field
from pathlib import Path

from heddle import paths, patience
from heddle.errors import CheckFailed, UserError

LOGS = paths.OUT / "test"
_LAST_LINES = 40
# What a test of ctest may take. It is given at the start: a TIMEOUT in a CMakeLists.txt could not grow.
TEST_TIMEOUT_S = 120
_TEST_LIMIT = "SECONDS-A-TEST"
# A test of pytest may take half of its stage, so that one without end is named, and shows where it was.
_HALF_A_STAGE = "HALF-A-STAGE"
_WORTH_A_LINE = 1.5
# Lines of ctest: a test has ended, or another begins.
_NEXT_TEST = re.compile(r"\s*(?:Start +\d+: |\d+/\d+ Test +#)")
_FAILED_TEST = re.compile(r"\s*\d+/\d+ Test +#.*\*\*\*(?!Skipped|Not Run)")


@dataclass(frozen=True)
class Stage:
    """One line of the summary. steps are shell-free command lines, run in the checkout's root.

    timeout_s: of the whole stage on an idle machine.
    one_of: a name that several stages share: a run that is not full draws one of them.
    """

    name: str
    proves: str
    timeout_s: int
    steps: list[list[str]]
    one_of: str = ""


@dataclass
class Outcome:
    stage: Stage
    state: str = "not run"
    seconds: float = 0.0
    log: Path = field(default_factory=Path)


def _heddle(*arguments: str) -> list[str]:
    return [sys.executable, "-P", "-m", "heddle", *arguments]


def _pytest(*arguments: str) -> list[str]:
    slowest = ["--durations", "10", "--durations-min", "3"]  # for the logs
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-p", "no:cacheprovider", "--timeout", _HALF_A_STAGE]
    return [*command, *slowest, *arguments]


# They say where threads are after half a second, or what a rank waits for: not beside other tests.
_HANGS, _FAULTS = "tests/systems/tools/test_hangs.py", "tests/systems/ranks/test_faults.py"
_SANITIZED = "tests/systems/ranks/test_sanitized_runs.py"
# Folders whose targets the two stages of AddressSanitizer build.
_RUNTIME_AND_MESSAGES = [
    *("runtime/all", "mpi/all", "tracer/all", "tests/programs/all", "tests/programs/bench/all"),
    *("tests/programs/mpi/all", "tests/unit/runtime/all", "tests/unit/tracer/all"),
]
_ENGINES = [
    *("mesh/all", "exchange/all", "storage/all", "amr/all", "wave/all", "simulate/all", "tests/unit/mesh/all"),
    *(f"tests/unit/{folder}/all" for folder in ("exchange", "storage", "amr", "wave", "simulate")),
]


def _ctest(preset: str, *arguments: str) -> list[str]:
    # --no-tests=error: a label that names nothing is a mistake, not a success.
    return ["ctest", "--preset", preset, "--no-tests=error", "--timeout", _TEST_LIMIT, *arguments]


def all_stages() -> list[Stage]:
    """Every stage, in the order of a run: cheap ones first."""
    return [
        Stage("layers", "who includes whom, the map of the tree, file lengths", 60, [_pytest("tests/layers")]),
        Stage(
            "format",
            "clang-format and ruff find nothing to change; private words become fewer",
            120,
            [_pytest("tests/format")],
        ),
        Stage("build", "GCC builds everything without a warning", 600, [_heddle("build", "release")]),
        Stage("build-clang", "so does Clang", 600, [_heddle("build", "release-clang")]),
        Stage(
            "units",
            "unit tests of the GCC build, and the models of suspension",
            360,
            [
                _ctest("release", "-LE", "examples"),
                _pytest("-n", "2", "tests/models", "tests/unit/runtime", "-k", "not clang"),
            ],
        ),
        Stage(
            "units-clang",
            "unit tests of the Clang build",
            300,
            [_ctest("release-clang", "-LE", "examples"), _pytest("tests/unit/runtime", "-k", "clang")],
        ),
        Stage(
            "examples",
            "each example runs and prints what its page says, from both compilers",
            300,
            [_ctest("release", "-L", "examples"), _ctest("release-clang", "-L", "examples")],
        ),
        Stage(
            "asan",
            "the tests of runtime and messages under AddressSanitizer and UndefinedBehaviorSanitizer",
            600,
            [_heddle("build", "asan", *_RUNTIME_AND_MESSAGES), _ctest("asan", "-L", "runtime|mpi")],
            one_of="sanitizers",
        ),
        Stage(
            "asan-engines",
            "the tests of mesh, engines and simulator under AddressSanitizer and UndefinedBehaviorSanitizer",
            600,
            [
                _heddle("build", "asan", *_ENGINES),
                _ctest("asan", "-L", "mesh|exchange|storage|amr|wave|simulate"),
                _pytest(_SANITIZED, "-k", "address_sanitizer"),
            ],
            one_of="sanitizers",
        ),
        Stage(
            "tsan",
            "the tests of runtime and messages and the examples under ThreadSanitizer",
            600,
            [
                _heddle("build", "tsan"),
                _ctest("tsan", "-L", "runtime|mpi|examples"),
                _pytest(_SANITIZED, "-k", "thread_sanitizer"),
            ],
            one_of="sanitizers",
        ),
        Stage(
            "tools",
            "the launcher and its commands",
            600,  # half of them for gdb, where it can call functions (heddle attach)
            [
                _pytest("-n", "2", "--dist", "loadfile", f"--ignore={_HANGS}", "tests/systems/tools"),
                _pytest("-n", "2", _HANGS),
            ],
        ),
        Stage(
            "sources",
            "commands that read, compile and check programs: cc, check, race, judge",
            400,
            [_pytest("-n", "2", "--dist", "loadfile", "tests/systems/sources")],
            one_of="commands",
        ),
        Stage(
            "figures",
            "commands that say how fast something is: bench, demo, papers, simulate",
            600,
            [_pytest("-n", "2", "--dist", "loadfile", "tests/systems/figures")],
            one_of="commands",
        ),
        Stage(
            "install",
            "what a person gets: the launcher's environment in a fresh checkout, packages, wheels",
            600,
            [_pytest("-n", "2", "--dist", "loadfile", "tests/systems/install")],
            one_of="commands",
        ),
        Stage(
            "traces",
            "traces say what happened, in every format and in a browser",
            300,
            [_pytest("-n", "2", "--dist", "loadfile", "tests/systems/tracer")],
        ),
        Stage(
            "random",
            "random task programs do what the specification demands, and its oracle notices where they do not",
            300,
            [_pytest("tests/systems/random")],
        ),
        Stage(
            "oracle",
            "heddle-amr agrees with the reference: every variant, every runtime",
            900,
            [_pytest("-n", "2", "tests/systems/oracle")],
        ),
        Stage(
            "ranks",
            "heddle-amr gives the same bits on any number of ranks and threads",
            600,
            [
                _pytest("-n", "2", f"--ignore={_FAULTS}", f"--ignore={_SANITIZED}", "tests/systems/ranks"),
                _pytest(_FAULTS),
            ],
        ),
        Stage(
            "waves",
            "heddle-wave gives the same bits in every execution model, on any number of ranks and threads; both "
            "engines give those of every processor",
            300,
            [_pytest("-n", "2", "tests/systems/waves", "tests/systems/emulated")],
        ),
        Stage(
            "storage",
            "plotfiles hold what the programs have computed, and runs go on from checkpoints",
            200,
            [_pytest("-n", "2", "tests/systems/storage")],
        ),
        Stage(
            "manual",
            "the manual is whole, opens from disk, and does what its tutorials show",
            200,
            [_pytest("-n", "2", "--dist", "loadfile", "tests/systems/manual")],
        ),
        Stage(
            "demo",
            "the demo runs and all its answers agree",
            120,
            [_heddle("demo", "--quick", "--out", "out/demo-quick")],
        ),
    ]


def chosen(names: list[str]) -> list[Stage]:
    """The named stages in the order of a run; all of them for no name. Errors: UserError for an unknown one."""
    stages = all_stages()
    known = [stage.name for stage in stages]
    for name in names:
        if name not in known:
            raise UserError(f"there is no stage '{name}'; there are {', '.join(known)}")
    return [stage for stage in stages if not names or stage.name in names]


def drawn(stages: list[Stage], seed: int) -> list[Stage]:
    """Of stages with the same one_of, one that the seed decides; all others. Says in a line what it leaves out."""
    left_out = []
    for name in dict.fromkeys(stage.one_of for stage in stages if stage.one_of):
        group = [stage.name for stage in stages if stage.one_of == name]
        taken = random.Random(f"{seed} {name}").choice(group)
        left_out += [other for other in group if other != taken]
    if left_out:
        print(f"not in this run: {', '.join(left_out)}, by --sample-seed {seed}; --full runs every stage", flush=True)
    return [stage for stage in stages if stage.name not in left_out]


def print_list() -> None:
    """One line a stage."""
    for stage in all_stages():
        print(f"{stage.name} (at most {stage.timeout_s} s)")
        print(textwrap.fill(stage.proves, 80, initial_indent="    ", subsequent_indent="    "))


@dataclass(frozen=True)
class Sampling:
    """Which cases of sampled tests are executed: pytest's options for that, and how much longer a stage may take."""

    options: tuple[str, ...] = ()
    limits: int = 1

    @classmethod
    def full(cls) -> Sampling:
        return cls(("--full",), 20)  # the longest list of like cases takes an hour

    @classmethod
    def by(cls, seed: int) -> Sampling:
        return cls(("--sample-seed", str(seed)))


def run(stages: list[Stage], *, keep_going: bool = True, sampling: Sampling = Sampling()) -> None:
    """Runs the stages and prints the summary. Errors: CheckFailed when any of them failed."""
    LOGS.mkdir(parents=True, exist_ok=True)
    outcomes = [Outcome(stage, log=LOGS / f"{stage.name}.log") for stage in stages]
    started = time.monotonic()
    for number, outcome in enumerate(outcomes, start=1):
        print(f"[{number}/{len(outcomes)}] {outcome.stage.name}: {outcome.stage.proves}", flush=True)
        _run_stage(outcome, sampling)
        print(f"      {outcome.state} in {outcome.seconds:.1f} s", flush=True)
        if outcome.state != "passed":
            _show_end(outcome.log)
            if not keep_going:
                break
    _summary(outcomes, time.monotonic() - started)
    failed = [outcome.stage.name for outcome in outcomes if outcome.state != "passed"]
    if failed:
        raise CheckFailed(f"{len(failed)} of {len(outcomes)} stages did not pass: {', '.join(failed)}")


def _run_stage(outcome: Outcome, sampling: Sampling) -> None:
    factor = patience.measure()
    if factor > _WORTH_A_LINE:
        print(f"      the machine is busy or slow: limits times {factor:.1f}", flush=True)
    started = time.monotonic()
    limit = factor * sampling.limits * outcome.stage.timeout_s
    deadline = started + limit
    limits = {_TEST_LIMIT: f"{factor * TEST_TIMEOUT_S:.0f}", _HALF_A_STAGE: f"{limit / 2:.1f}"}
    outcome.state = "passed"
    with open(outcome.log, "w", encoding="utf-8") as log:
        for step in [_completed(step, limits, sampling.options) for step in outcome.stage.steps]:
            log.write(f"$ {' '.join(step)}\n")
            log.flush()
            outcome.state = _run_step(step, log.fileno(), deadline, factor)
            if outcome.state != "passed":
                break
    outcome.seconds = time.monotonic() - started


def _completed(step: list[str], limits: dict[str, str], options: tuple[str, ...]) -> list[str]:
    """A command with what is known only when it is executed."""
    words = [limits.get(word, word) for word in step]
    return [*words, *options] if "pytest" in step else words


def _run_step(step: list[str], log: int, deadline: float, factor: float) -> str:
    """Runs one command as the leader of its own process group, so that a timeout ends its children too."""
    try:
        process = subprocess.Popen(
            step,
            cwd=paths.ROOT,
            env={**os.environ, patience.VARIABLE: f"{factor:.2f}"},
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    except OSError as error:
        os.write(log, f"{step[0]}: {error.strerror}\n".encode())
        return "failed"
    try:
        status = process.wait(timeout=max(1.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        _end_group(process)
        return "timed out"
    except BaseException:
        _end_group(process)
        raise
    return "passed" if status == 0 else "failed"


def _end_group(process: subprocess.Popen[bytes]) -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=5)
            return
        except subprocess.TimeoutExpired:
            continue
        except ProcessLookupError:
            process.wait()
            return


def _show_end(log: Path) -> None:
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    if len(lines) > _LAST_LINES:
        print(f"      … the whole log is {paths.shown(log)}")
    for line in [*_said_by_failed_tests(lines[:-_LAST_LINES]), *lines[-_LAST_LINES:]]:
        print(f"      {line}")


def _said_by_failed_tests(lines: list[str]) -> list[str]:
    """What ctest shows of each test that failed: it lists no more than their names in the end."""
    said: list[str] = []
    for at, line in enumerate(lines):
        if _FAILED_TEST.match(line):
            rest = itertools.takewhile(lambda other: not _NEXT_TEST.match(other), lines[at + 1 :])
            said += [line, *itertools.islice(rest, _LAST_LINES)]
    return said


def _summary(outcomes: list[Outcome], seconds: float) -> None:
    from rich.table import Table

    from heddle import terminal

    colours: dict[str, str] = {"passed": "green", "not run": "yellow"}
    table = Table("stage", "outcome", "seconds", "log", box=None, pad_edge=False)
    table.columns[2].justify = "right"
    for outcome in outcomes:
        colour = colours.get(outcome.state, "red")
        table.add_row(
            outcome.stage.name,
            f"[{colour}]{outcome.state}[/]",
            f"{outcome.seconds:.1f}",
            paths.shown(outcome.log),
        )
    console = terminal.console()
    console.print()
    console.print(table)
    console.print(f"{seconds:.0f} s in all")
