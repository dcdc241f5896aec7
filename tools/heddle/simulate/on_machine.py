"""A program on the simulated machine (machine/): the runtime itself, on processors that this computer lacks."""

from __future__ import annotations

import ctypes
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from heddle import code_places, execution, launch, paths, runtimes, toolchain
from heddle.errors import CheckFailed, UserError
from heddle.graph import words

_TARGET = "heddle_on_machine"
MOST_PROCESSORS = 256  # machine/description.hpp
_SHOWN_PLACES = 12
_DISTANCES = ("near", "far", "remote", "memory")
_ADDR_NO_RANDOMIZE = 0x0040000  # personality(2)


@dataclass(frozen=True)
class Machine:
    """What it is made of; numbers are NAME=NUMBER words of HEDDLE_MACHINE, beyond those that have a field."""

    processors: int
    caches: int | None = None
    sockets: int | None = None
    numbers: tuple[str, ...] = ()

    def described(self) -> str:
        """As HEDDLE_MACHINE takes it: each socket has a last-level cache, unless caches says how many there are."""
        sockets = 1 if self.sockets is None else self.sockets
        words_ = [
            f"processors={self.processors}",
            f"sockets={sockets}",
            f"caches={sockets if self.caches is None else self.caches}",
        ]
        return " ".join([*words_, *self.numbers])


def counts(text: str) -> list[int]:
    """The numbers of --cores. Errors: UserError for what is none."""
    parts = [part.strip() for part in text.split(",")]
    for part in parts:
        if not part.isdigit() or not 1 <= int(part) <= MOST_PROCESSORS:
            raise UserError(f"--cores {text}: '{part}' is no number from 1 to {MOST_PROCESSORS}")
    return [int(part) for part in parts]


def runtime() -> runtimes.Runtime:
    """libheddle with a call before each access to memory. Errors: UserError where it cannot be built."""
    if paths.IS_INSTALLED:
        raise UserError("a program on simulated processors needs a checkout of Heddle: packages have no such runtime")
    toolchain.build("release", [_TARGET])
    shims = paths.build_dir("release") / "on-machine"
    library = shims / "libgomp-heddle.so.0"
    if not library.exists():
        raise UserError(
            "the release build has no simulated machine (HEDDLE_MACHINE is off, or GCC is not its compiler)"
        )
    return runtimes.Runtime("heddle", "libheddle on a simulated machine", library, shims)


def runtime_in(folder: Path, title: str) -> runtimes.Runtime | None:
    """That which is compiled for the simulated machine and lies in the folder; None where there is none.

    It is another build's on-machine folder, or another OpenMP runtime lies there under the names that programs ask for.
    """
    libraries = (folder.resolve() / each for each in ("libgomp-heddle.so.0", "libomp.so.5", "libgomp.so.1"))
    library = next((each for each in libraries if each.exists()), None)
    return None if library is None else replace(runtime(), title=title, library=library, shims=library.parent)


def beside(text: str) -> tuple[str, runtimes.Runtime]:
    """Of NAME=FOLDER: the name, and the runtime there. Errors: UserError for other words, and where there is none."""
    name, _, folder = text.partition("=")
    found = runtime_in(Path(folder), name) if name and folder else None
    if found is None:
        raise UserError(f"--beside {text}: give NAME=FOLDER, with an OpenMP runtime for the simulated machine in it")
    return name, found


def environment(machine: Machine, base: dict[str, str]) -> dict[str, str]:
    """The variables with which a program of this environment, which finds the runtime, starts on the machine."""
    environ = {**base, "HEDDLE_MACHINE": machine.described()}
    environ.setdefault("OMP_NUM_THREADS", str(machine.processors))
    runtimes.preload_library(paths.library("libheddle-machine.so"), environ)
    return environ


def call(command: list[str], plan: launch.Plan, machine: Machine, *, keeps_output: bool = False) -> dict[str, Any]:
    """Runs the program and returns what the machine has counted.

    keeps_output: what it writes to stdout is kept as "stdout", in place of going to stderr. Errors: CheckFailed where
    the program fails.
    """
    stdout = subprocess.PIPE if keeps_output else sys.stderr
    with tempfile.TemporaryDirectory(prefix="heddle-machine-") as scratch:
        report = Path(scratch, "report.json")
        environ = environment(machine, plan.environ) | {"HEDDLE_MACHINE_REPORT": str(report)}
        try:
            # With memory at the same addresses, two runs give the same figures.
            done = subprocess.run(
                command, executable=plan.program, env=environ, stdout=stdout, preexec_fn=_fix_addresses, text=True
            )
        except OSError as error:
            raise execution.cannot_start(command[0], error) from None
        if done.returncode == 2:
            raise UserError(f"{command[0]} ended with exit status 2 on {machine.described()}")
        if done.returncode != 0 or not report.exists():
            raise CheckFailed(f"{command[0]} ended with {execution.end_of(done.returncode)} on {machine.described()}")
        return json.loads(report.read_text(encoding="utf-8")) | ({"stdout": done.stdout} if keeps_output else {})


def _fix_addresses() -> None:
    libc = ctypes.CDLL(None)
    libc.personality(libc.personality(0xFFFFFFFF) | _ADDR_NO_RANDOMIZE)


def run(command: list[str], counts: list[int], machine: Machine) -> None:
    """Runs the program on each number of processors; prints a table, and where the most lines moved in the last run."""
    from rich.table import Table

    from heddle import terminal

    plan = launch.plan_on(command[0], runtime(), None)
    rows = []
    for count in counts:
        one = Machine(count, machine.caches, machine.sockets, machine.numbers)
        rows.append((count, call(command, plan, one)))
    console = terminal.console()
    table = Table("cores", "time", "speedup", "computes", "waits for lines", "lines moved", box=None, pad_edge=False)
    for column in table.columns:
        column.justify = "right"
    for count, report in rows:
        whole = report["time_ns"] * count
        sums = {key: sum(each[key] for each in report["processors"]) for key in ("computed_ns", "waited_ns")}
        table.add_row(
            str(count),
            words.duration(report["time_ns"], is_measured=True),
            words.digits(rows[0][1]["time_ns"] / report["time_ns"]),
            words.percent(sums["computed_ns"] / whole),
            words.percent(sums["waited_ns"] / whole),
            str(sum(_moved(place) for place in report["places"])),
        )
    console.print(table)
    count, report = rows[-1]
    places = transfers(report)
    if not places:
        return
    console.print(f"\nwhere lines moved on {words.plural(count, 'core')}")
    table = Table("lines", "waited", "place", box=None, pad_edge=False)
    for name, (moved, waited_ns) in list(places.items())[:_SHOWN_PLACES]:
        table.add_row(str(moved), words.duration(waited_ns, is_measured=True), name)
    for column in table.columns[:2]:
        column.justify = "right"
    console.print(table)


def _moved(place: dict[str, Any]) -> int:
    return sum(place[distance] for distance in _DISTANCES)


def transfers(report: dict[str, Any]) -> dict[str, tuple[int, float]]:
    """What the report's places are called: how many lines moved there, and the ns waited for them; most first."""
    moved: Counter[str] = Counter()
    waited: Counter[str] = Counter()
    by_file: dict[str, list[dict[str, Any]]] = {}
    for place in report["places"]:
        by_file.setdefault(place["file"], []).append(place)
    for file, places in by_file.items():
        for place, name in zip(places, _names(file, [place["address"] - 1 for place in places])):
            moved[name] += _moved(place)
            waited[name] += place["waited_ns"]
    return {name: (count, waited[name]) for name, count in moved.most_common()}


def _names(file: str, addresses: list[int]) -> list[str]:
    """Function, file and line of each: the innermost function that is not the C++ library's."""
    found = code_places.frames_of(file, addresses) or [[] for _ in addresses]
    return [_name(frames) or f"{Path(file).name}+{address:#x}" for frames, address in zip(found, addresses)]


def _name(frames: list[tuple[str, str]]) -> str | None:
    for function, place in frames:
        path, _, line = place.partition(" (")[0].rpartition(":")
        if "/include/c++/" in path or path.startswith("?"):
            continue
        bare = function.replace("(anonymous namespace)::", "")
        while (shorter := re.sub(r"<[^<>]*>", "", bare)) != bare:  # arguments of templates may hold others
            bare = shorter
        bare = bare.partition("(")[0]
        bare = bare.split()[-1] if bare.split() else "a function"
        return f"{bare.removeprefix('heddle::')}, {Path(path).name}:{line}"
    return None
