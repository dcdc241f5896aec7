#!/usr/bin/env python3
"""Random task programs under random settings, checked against what the OpenMP specification demands.

    .venv/bin/python tests/systems/random/run.py --seconds 3600            # a fresh seed, which is printed
    .venv/bin/python tests/systems/random/run.py --seed 7 --only 12        # program 12 of seed 7 again

Exit status: 0 nothing was found, 1 something was, 2 the arguments are wrong.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import shutil
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[2] / "tools")]

import generate  # noqa: E402
import runs  # noqa: E402
import settings  # noqa: E402
import shrink  # noqa: E402
from heddle import paths, runtimes  # noqa: E402
from heddle.errors import UserError  # noqa: E402
from model import Program  # noqa: E402


@dataclass
class Tally:
    """What a session has done."""

    programs: int = 0
    runs: int = 0
    rounds: int = 0
    bodies: int = 0
    replays: int = 0
    compilers: Counter[str] = field(default_factory=Counter)
    profiles: Counter[str] = field(default_factory=Counter)
    modes: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)

    def summary(self) -> str:
        def row(counter: Counter[str]) -> str:
            return ", ".join(f"{name} {count}" for name, count in sorted(counter.items()))

        return (
            f"{self.programs} programs, {self.runs} runs, {self.rounds} rounds, {self.bodies} task bodies, "
            f"{self.replays} executions replayed\n"
            f"programs: {row(self.compilers)}; {row(self.profiles)}\nruns: {row(self.modes)}"
        )


class Session:
    """Goes through the programs of a seed, several at a time. say: where each finding is told at once."""

    def __init__(self, campaign: runs.Campaign, words: str = "", say=print):
        self.campaign = campaign
        self.words = words  # the options that made the campaign, for the command that repeats a finding
        self.say = say
        self.tally = Tally()
        self.lock = threading.Lock()

    def explore(self, seconds: float, most: int, jobs: int, most_findings: int) -> Tally:
        """Programs 0, 1, 2 ... until the time is over, `most` are done, or enough is found."""
        deadline = time.monotonic() + seconds
        numbers = iter(range(most))

        def work() -> None:
            while time.monotonic() < deadline and len(self.tally.findings) < most_findings:
                with self.lock:
                    index = next(numbers, None)
                if index is None:
                    return
                self.one(index, None, deadline)

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for future in [pool.submit(work) for _ in range(jobs)]:
                future.result()
        return self.tally

    def one(self, index: int, chosen: list[settings.Setting] | None = None, deadline: float = float("inf")) -> None:
        """One program under its settings, until one of them fails. Its folder is kept then."""
        campaign = self.campaign
        program = campaign.program(index)
        ready = runs.compiled(program, campaign.place(index), campaign.bench)
        with self.lock:
            self.tally.programs += 1
            self.tally.compilers[program.compiler] += 1
            self.tally.profiles[program.profile] += 1
        if ready.failure:
            self._tell(index, ready, "does not compile", ready.failure, None)
            return
        for setting in chosen or campaign.settings_of(index, program):
            if time.monotonic() > deadline:
                break
            outcome = runs.execute(ready, setting, campaign.bench)
            with self.lock:
                self.tally.runs += 1
                self.tally.rounds += outcome.rounds
                self.tally.bodies += outcome.bodies
                self.tally.replays += outcome.replays
                self.tally.modes[setting.mode] += 1
            if outcome.failure:
                again = sum(bool(runs.execute(ready, setting, campaign.bench).failure) for _ in range(5))
                lines = "\n".join(outcome.said.splitlines()[:30])
                text = f"{lines}\n{outcome.command}\nagain: {again} of 5 runs fail"
                self._tell(index, ready, outcome.failure, text, setting)
                return
        shutil.rmtree(ready.folder, ignore_errors=True)

    def shrink(self, index: int, setting: settings.Setting) -> Path:
        """Writes a smaller program that fails under that setting; its folder."""
        campaign = self.campaign
        folder = campaign.place(index).with_name(f"{campaign.seed}-{index}-small")

        def fails(program: Program) -> bool:
            ready = runs.compiled(program, folder, campaign.bench)
            if ready.failure:
                return False
            return any(runs.execute(ready, setting, campaign.bench).failure for _ in range(3))

        program = campaign.program(index)
        if fails(program):
            program = shrink.shrunk(program, fails, self.say)
            fails(program)
        return folder

    def _tell(self, index: int, ready: runs.Compiled, what: str, text: str, setting: settings.Setting | None) -> None:
        p = ready.program
        repeat = f".venv/bin/python tests/systems/random/run.py --seed {self.campaign.seed} --only {index}{self.words}"
        if setting:
            repeat += f" --setting {setting}"
        place = paths.shown(ready.source)
        finding = f"program {index} ({p.compiler}, {p.profile}, {p.form}) {what}\n{text}\nsource: {place}\n{repeat}\n"
        with self.lock:
            self.tally.findings.append(finding)
        self.say(finding)


def _bench(arguments: argparse.Namespace) -> runs.Bench:
    """Errors: UserError where that runtime is not here."""
    limit = arguments.limit or (120 if arguments.sanitize else 30)
    if arguments.library:
        shims = Path(arguments.library).resolve()
        if not (shims / "libgomp.so.1").exists():
            raise UserError(
                f"--library {arguments.library}: there is no libgomp.so.1; name the shims folder of a build"
            )
        return runs.Bench(shims, "heddle", arguments.sanitize, arguments.run_seconds, limit)
    runtime = runtimes.require(arguments.runtime)
    return runs.Bench(runtime.shims, arguments.runtime, arguments.sanitize, arguments.run_seconds, limit)


def _modes(text: str) -> tuple[str, ...]:
    """Errors: UserError for an unknown name."""
    named = text.removeprefix("-").split(",") if text else []
    for name in named:
        if name not in settings.MODES:
            raise UserError(f"--modes {text}: there is no mode '{name}'; there are {', '.join(settings.MODES)}")
    leaves_out = text.startswith("-") or not text
    return tuple(name for name in settings.MODES if (name in named) != leaves_out)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="for how long; 60 by default")
    parser.add_argument("--seed", type=int, help="a fresh one by default")
    parser.add_argument("--programs", type=int, default=1 << 30, help="at most so many")
    parser.add_argument("--only", type=int, metavar="PROGRAM", help="this program of the seed alone")
    parser.add_argument("--setting", type=settings.parse, help="with --only: this setting alone, as a finding names it")
    parser.add_argument("--shrink", action="store_true", help="with --only and --setting: make the program smaller")
    parser.add_argument("--runs", type=int, default=8, help="settings that each program runs under; 8 by default")
    parser.add_argument("--run-seconds", type=float, default=0.2, help="for how long a run repeats its rounds; 0.2")
    parser.add_argument("--limit", type=float, help="after how many seconds a run counts as one without end; 30")
    parser.add_argument("--profile", default="", choices=["", *generate.PROFILES], help="programs of this kind alone")
    parser.add_argument("--compiler", default="", choices=["", *generate.COMPILERS])
    parser.add_argument("--without", default="", help=f"features to leave out: {', '.join(generate.FEATURES)}")
    parser.add_argument(
        "--modes", default="", help=f"these alone, or all but these after a '-': {', '.join(settings.MODES)}"
    )
    parser.add_argument("--runtime", default="heddle", choices=["heddle", "gnu", "llvm"])
    parser.add_argument("--library", default="", help="the shims folder of another build of libheddle")
    parser.add_argument("--sanitize", default="", choices=["", "address", "thread"], help="as that build's")
    parser.add_argument("--jobs", type=int, default=2, help="programs at a time; 2 by default")
    parser.add_argument("--findings", type=int, default=10, help="stop after so many; 10 by default")
    return parser.parse_args()


def main() -> int:
    arguments = _arguments()
    seed = arguments.seed if arguments.seed is not None else time.time_ns() % 1_000_000_007
    without = frozenset(word for word in arguments.without.split(",") if word)
    if arguments.runtime != "heddle":
        without |= {"transparent"}  # no other runtime orders the children with the siblings
    unknown = without - generate.FEATURES.keys()
    if unknown:
        print(
            f"--without: there is no feature '{min(unknown)}'; there are {', '.join(generate.FEATURES)}",
            file=sys.stderr,
        )
        return 2
    try:
        modes = _modes(arguments.modes)
        bench = _bench(arguments)
    except UserError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"seed {seed}", flush=True)
    names = ("profile", "compiler", "without", "runtime", "library", "sanitize")
    given = [(name, getattr(arguments, name)) for name in names]
    words = "".join(f" --{name} {value}" for name, value in given if value and value != "heddle")
    campaign = runs.Campaign(
        seed, paths.OUT / "random", bench, without, arguments.profile, arguments.compiler, arguments.runs, modes
    )
    session = Session(campaign, words, lambda text: print(text, flush=True))
    if arguments.shrink:
        if arguments.only is None or arguments.setting is None:
            print("--shrink takes --only PROGRAM and --setting SETTING, as a finding names them", file=sys.stderr)
            return 2
        print(f"smaller: {paths.shown(session.shrink(arguments.only, arguments.setting))}")
        return 0
    if arguments.only is not None:
        session.one(arguments.only, [arguments.setting] if arguments.setting else None)
    else:
        session.explore(arguments.seconds, arguments.programs, arguments.jobs, arguments.findings)
    print(session.tally.summary())
    print(f"seed {seed}: {len(session.tally.findings)} findings")
    return 1 if session.tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
