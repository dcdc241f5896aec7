"""Overheads of synchronisation constructs on libheddle against the better of the stock runtimes.

    .venv/bin/python bench/studies/sync.py [--threads 1,2,8] [--rounds 9] [--json FILE]

sync.c is compiled once by GCC and once by Clang. One round runs, in turn, GCC's program on libgomp and libheddle and
Clang's on libomp and libheddle. For each construct and round the ratio is libheddle's overhead over that of the stock
runtime whose median is lower; libheddle counts with the program of the same compiler as that runtime. What is printed
is the median over the rounds and its range, and the geometric mean over the constructs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAIRS = {"gnu": "gcc", "llvm": "clang-19"}  # stock runtime and the compiler whose programs it is made for
LINE = re.compile(r"^(.+): (-?[0-9.]+)$", re.MULTILINE)
LEAST_NS = 1.0  # what a clock on a shared machine resolves; keeps a ratio of two nothings at 1


def compile_program(compiler: str, folder: Path, source: str) -> Path:
    binary = folder / compiler
    subprocess.run(
        [compiler, "-O2", "-fopenmp", "-o", str(binary), str(ROOT / "bench" / "kernels" / "sync" / source)], check=True
    )
    return binary


def output_of(binary: Path, runtime: str, threads: int, *arguments: object) -> str:
    """What one run printed. Errors: ends the program where the run fails."""
    command = [str(ROOT / "heddle"), "run", "--runtime", runtime, "--threads", str(threads), "--", str(binary)]
    command += [str(argument) for argument in arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return done.stdout


def run_once(binary: Path, runtime: str, threads: int, seconds: float) -> dict[str, float]:
    """Nanoseconds by construct."""
    found = LINE.findall(output_of(binary, runtime, threads, seconds))
    return {name: max(float(value), LEAST_NS) for name, value in found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", default="1,2,8", help="thread counts, separated by commas")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--seconds", type=float, default=0.02, help="at least so long a construct")
    parser.add_argument("--json", type=Path, help="write every time to this file")
    arguments = parser.parse_args()

    record: dict[str, object] = {"processors": os.cpu_count(), "rounds": arguments.rounds, "ns": {}}
    with tempfile.TemporaryDirectory() as folder:
        binaries = {stock: compile_program(compiler, Path(folder), "sync.c") for stock, compiler in PAIRS.items()}
        for threads in [int(word) for word in arguments.threads.split(",")]:
            rounds = []
            for _ in range(arguments.rounds):
                rounds.append(
                    {
                        f"{stock} {who}": run_once(
                            binaries[stock], stock if who == "stock" else "heddle", threads, arguments.seconds
                        )
                        for stock in PAIRS
                        for who in ("stock", "heddle")
                    }
                )
            record["ns"][str(threads)] = rounds  # type: ignore[index]
            report(threads, rounds)
    if arguments.json:
        arguments.json.parent.mkdir(parents=True, exist_ok=True)
        arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


def report(threads: int, rounds: list[dict[str, dict[str, float]]]) -> None:
    """One table of a thread count."""
    print(f"\n{threads} threads: nanoseconds, medians of {len(rounds)} rounds")
    print(f"{'construct':16} {'libgomp':>9} {'heddle':>9} {'libomp':>9} {'heddle':>9}   heddle / better stock [range]")
    medians = []
    for construct in rounds[0]["gnu stock"]:
        of = {side: [r[side][construct] for r in rounds] for side in rounds[0]}
        middle = {side: statistics.median(values) for side, values in of.items()}
        best = min(PAIRS, key=lambda stock: middle[f"{stock} stock"])
        ratios = [a / b for a, b in zip(of[f"{best} heddle"], of[f"{best} stock"], strict=True)]
        medians.append(statistics.median(ratios))
        print(
            f"{construct:16} {middle['gnu stock']:9.0f} {middle['gnu heddle']:9.0f} {middle['llvm stock']:9.0f} "
            f"{middle['llvm heddle']:9.0f}   {medians[-1]:.2f} [{min(ratios):.2f} {max(ratios):.2f}]"
        )
    print(f"geometric mean {statistics.geometric_mean(medians):.2f}, highest {max(medians):.2f}")


if __name__ == "__main__":
    main()
