"""What a message between tasks of two ranks costs: rate and latency, beside plain MPI and other task-aware libraries.

    .venv/bin/python bench/studies/message_costs.py [--rounds 7] [--other NAME=FOLDER …] [--json FILE]

Ranks of one thread each. rate: 64 messages in flight, ns a message; latency: half of a round trip. Each
round runs every program once, in turn; ratios (rate) and differences (latency) to plain MPI are taken round by round.
--other: where another library of TAMPI's interface is installed (include, lib): the same program compiled for that, on
libheddle as well.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from heddle import machine, mpi, paths, results, runtimes, toolchain

PROGRAM = "messages"
SIZES = (8, 64, 1024, 8192, 65536, 1048576)
QUESTIONS = ("rate", "latency")
PLAIN, OURS = "plain MPI", "libheddle-mpi"
SOURCE = paths.ROOT / "bench" / "kernels" / "messages" / "messages.c"


def ns(program: Path, question: str, way: str, size: int, milliseconds: int) -> float:
    """Errors: ends the program where the run fails."""
    command = [*mpi.command(2, 1), str(program), question, way, str(size), str(milliseconds)]
    environ = runtimes.environment(runtimes.require("heddle"), 1)
    done = subprocess.run(command, env=environ, capture_output=True, text=True, timeout=120, check=False)
    found = re.search(r"ns=([\d.]+)", done.stdout)
    if done.returncode != 0 or found is None:
        sys.exit(f"{' '.join(command)} ended with status {done.returncode}: {done.stderr.strip()}")
    return float(found[1])


def compiled_for(other: Path, program: Path) -> Path:
    """The program with another library. Errors: ends the program where there is none, or it does not compile."""
    name = next((name for name in ("tampi-c", "tampi") if (other / "lib" / f"lib{name}.so").exists()), None)
    if name is None:
        sys.exit(f"{other}: there is no lib/libtampi.so or lib/libtampi-c.so")
    folders = [f"-I{other / 'include'}", f"-L{other / 'lib'}", f"-Wl,-rpath,{other / 'lib'}"]
    command = [str(mpi.compiler()), "-O3", "-fopenmp", str(SOURCE), *folders, f"-l{name}", "-o", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return program


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--milliseconds", type=int, default=200, help="of each run")
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="bytes")
    parser.add_argument("--other", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    toolchain.build("release", ["heddle", "bench_messages", "heddle_mpi"])
    program = paths.build_dir("release") / "bin" / PROGRAM
    with tempfile.TemporaryDirectory() as folder:
        ways = {PLAIN: ("plain", program), OURS: ("tasks", program)}
        for number, text in enumerate(asked.other):
            name, _, where = text.partition("=")
            ways[name] = ("tasks", compiled_for(Path(where), Path(folder) / f"messages-{number}"))
        found = measured(ways, [int(size) for size in asked.sizes.split(",")], asked.rounds, asked.milliseconds)
    if asked.json is not None:
        record = {"machine": machine.described(), "rounds": asked.rounds, "mpi": os.environ.get("HEDDLE_MPI", "mpich")}
        results.write(asked.json, record | {"ns": found})


def measured(ways: dict, sizes: list[int], rounds: int, milliseconds: int) -> dict:
    """By question, size and way: each round's ns. Prints a row for each size."""
    found: dict = {}
    for question in QUESTIONS:
        print(
            f"{question}: {'ns a message, and plain MPI over it' if question == 'rate' else 'us, and beyond plain MPI'}"
        )
        print(f"{'bytes':>8}" + "".join(f"{name:>34}" for name in ways))
        for size in sizes:
            runs: dict[str, list[float]] = {name: [] for name in ways}
            for round_ in range(rounds):
                for name in ways if round_ % 2 == 0 else reversed(ways):
                    way, program = ways[name]
                    runs[name].append(ns(program, question, way, size, milliseconds))
            found.setdefault(question, {})[str(size)] = runs
            print(f"{size:8}" + "".join(f"{cell(question, runs, name):>34}" for name in ways), flush=True)
    return found


def cell(question: str, runs: dict[str, list[float]], name: str) -> str:
    pairs = list(zip(runs[PLAIN], runs[name], strict=True))
    if question == "rate":
        each = [plain / mine for plain, mine in pairs]
        return (
            f"{statistics.median(runs[name]):9.0f}  {statistics.median(each):.2f} [{min(each):.2f} … {max(each):.2f}]"
        )
    each = [(mine - plain) / 1e3 for plain, mine in pairs]
    value = statistics.median(runs[name]) / 1e3
    return f"{value:9.2f}  {statistics.median(each):+.2f} [{min(each):+.2f} … {max(each):+.2f}]"


if __name__ == "__main__":
    main()
