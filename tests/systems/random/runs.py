"""Compiles programs and runs them under settings."""

from __future__ import annotations

import os
import random
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import emit
import generate
import settings
from heddle import clang
from model import Program

ROOT = Path(__file__).resolve().parents[3]
_LAUNCHER = ROOT / "tools" / "heddle" / "cc" / "__main__.py"
_RESULT = re.compile(r"^rounds (\d+) bodies (\d+) encounters (\d+) recordings (\d+) errors (\d+)$", re.MULTILINE)


@dataclass(frozen=True)
class Bench:
    """On what programs run. shims: a folder in which a runtime bears the names that programs ask for."""

    shims: Path
    runtime: str = "heddle"
    sanitizer: str = ""  # of the programs, as the runtime's: address or thread
    seconds: float = 0.2  # of each run
    limit_s: float = 30


@dataclass
class Outcome:
    """Of one run."""

    command: str
    failure: str = ""  # what was wrong; empty when all was well
    said: str = ""
    rounds: int = 0
    bodies: int = 0
    replays: int = 0


@dataclass
class Compiled:
    program: Program
    folder: Path
    failure: str = ""

    @property
    def binary(self) -> Path:
        return self.folder / "program"

    @property
    def source(self) -> Path:
        return self.folder / ("program.cpp" if self.program.is_cpp() else "program.c")


def compiled(program: Program, folder: Path, bench: Bench) -> Compiled:
    """Writes and compiles the program; its failure is what the compiler says."""
    folder.mkdir(parents=True, exist_ok=True)
    result = Compiled(program, folder)
    result.source.write_text(emit.source(program), encoding="utf-8")
    level = random.Random(program.name).choice(["-O0", "-O1", "-O1", "-O2"])
    command: list[str | Path] = [program.compiler, level, "-g1", "-w", "-fopenmp", "-I", ROOT / "runtime" / "include"]
    command += ["-I", Path(__file__).parent, "-o", result.binary, result.source, "-pthread"]
    if program.is_clang():
        command.append("-fopenmp-version=51")
    if bench.sanitizer:
        command.append(f"-fsanitize={bench.sanitizer}")
    if program.profile in ("graph", "overlap"):
        command = [sys.executable, "-P", _LAUNCHER, *command]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        result.failure = f"{shlex.join(map(str, command))}\n{done.stderr}"
    return result


def execute(ready: Compiled, setting: settings.Setting, bench: Bench, *more: str) -> Outcome:
    """Runs the program. One that does not end is told to say where it stands, and ended."""
    extra = setting.variables(str(ready.folder))
    if bench.runtime != "heddle":
        extra = {name: value for name, value in extra.items() if name.startswith("OMP_")}
    extra["LD_LIBRARY_PATH"] = str(bench.shims)
    if bench.sanitizer == "thread":
        extra["TSAN_OPTIONS"] = "atexit_sleep_ms=50"
    command = [str(ready.binary), "--seconds", str(bench.seconds), *more]
    outcome = Outcome(shlex.join(["env", *(f"{k}={v}" for k, v in extra.items()), *command]))
    foreign = ("OMP_", "KMP_", "GOMP_", "HEDDLE_", "LD_LIBRARY_PATH", "LD_PRELOAD")
    environ = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    process = subprocess.Popen(
        command, env={**environ, **extra}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace"
    )
    try:
        output, outcome.said = process.communicate(timeout=bench.limit_s)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGTERM)
        try:
            output, outcome.said = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            output, outcome.said = process.communicate()
        outcome.failure = f"did not end in {bench.limit_s:g} s"
        return outcome
    found = _RESULT.search(output)
    if found:
        outcome.rounds, outcome.bodies = int(found[1]), int(found[2])
        outcome.replays = int(found[3]) - int(found[4])
    if process.returncode < 0:
        outcome.failure = f"died of {signal.Signals(-process.returncode).name}"
    elif not found:
        outcome.failure = f"exit status {process.returncode} without a result"
    elif int(found[5]) or process.returncode:
        outcome.failure = f"exit status {process.returncode}, {found[5]} errors"
    elif outcome.rounds < 1 or outcome.bodies < 1:
        outcome.failure = "nothing was executed"
    return outcome


@dataclass
class Campaign:
    """All programs of one seed. without: features that are left out; compilers: those that may be drawn."""

    seed: int
    folder: Path
    bench: Bench
    without: frozenset[str] = frozenset()
    profile: str = ""
    compiler: str = ""
    runs_each: int = 8
    modes: tuple[str, ...] = tuple(settings.MODES)

    def program(self, index: int) -> Program:
        """Program number index; no earlier one has to be made for it."""
        return generate.generate(f"{self.seed}/{index}", self.without, self.profile, self._compiler(index))

    def _compiler(self, index: int) -> str:
        """A stock runtime gets its own compiler's programs; and libheddle's builds with sanitizers have GCC's."""
        family = "gnu" if self.bench.sanitizer else self.bench.runtime
        if self.compiler or family == "heddle":
            return self.compiler
        c, cpp = (clang.c(), clang.cpp()) if family == "llvm" else ("gcc", "g++")
        return c if index % 2 or "cpp" in self.without else cpp

    def settings_of(self, index: int, program: Program) -> list[settings.Setting]:
        drawer = settings.Drawer(random.Random(f"{self.seed}/{index}/settings"), list(self.modes))
        return [drawer.draw(program.profile == "cancellation") for _ in range(self.runs_each)]

    def place(self, index: int) -> Path:
        return self.folder / f"{self.seed}-{index}"
